# Prints INSIDE(DO), a macro of the local names in preprocessed GLSL: all words except keywords, calls, members, and
# names mur_*, Mur*, MUR_* or gl_*.   awk -f inside.awk FILE
# SPDX-License-Identifier: MIT
BEGIN {
    split("bool break buffer buffer_reference buffer_reference_align bvec2 bvec4 case coherent const " \
          "default else false for if in inout layout out readonly return std430 struct switch true uint " \
          "uint64_t unroll uvec2 uvec3 uvec4 void while writeonly", keywords, " ")
    for (i in keywords) {
        left_out[keywords[i]] = 1
    }
}
/^#/ {
    next
}
{
    while (match($0, /[.A-Za-z0-9_]+ *\(?/)) {
        word = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        called = word ~ /\($/
        sub(/[. (].*/, "", word)
        if (called) {
            left_out[word] = 1
        } else if (word ~ /^[a-zA-Z_]/ && word !~ /^(mur_|Mur|MUR_|gl_)/) {
            words[word] = 1
        }
    }
}
END {
    printf "#define INSIDE(DO)"
    for (word in words) {
        if (!(word in left_out)) {
            printf " DO(%s)", word
        }
    }
    print ""
}
