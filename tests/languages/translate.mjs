// Translates WGSL to SPIR-V by naga:   NAGA=FOLDER node translate.mjs OUTPUT TEXT...
// SPDX-License-Identifier: MIT
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const module = join(process.env.NAGA, "node_modules/naga-wasm/dist/node.js");
const { parseWgsl, validate, writeSpirv } = await import(pathToFileURL(module));
const [output, ...texts] = process.argv.slice(2);
const program = parseWgsl(texts.map((text) => readFileSync(text, "utf8")).join("\n"));
writeFileSync(output, writeSpirv(program, validate(program)));
