/* Tests the editor's panels without a device: their content and clickable areas at different
 * picture sizes, and the table that defines panels, keys and help.
 * SPDX-License-Identifier: MIT */
#include "window/panels.h"
#include "support/cases.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Layout of panels and size of letters --------------------------------------------------- */

typedef struct Screen {
    Hud hud;
    Text text;
    Tools tools;
    Source source;
    HudNumbers numbers;
} Screen;

static Screen *screen;

static void write(uint32_t width, uint32_t height, float scale) {
    screen->numbers.width = width;
    screen->numbers.height = height;
    screen->numbers.scale = scale;
    panelsWrite(&screen->hud, &screen->text, &screen->numbers, &screen->tools, &screen->source,
                VIEW_FLAT);
    assert_true(screen->hud.areaCount < HUD_AREAS);
}

static int setup(void **state) {
    screen = test_allocate(sizeof *screen);
    screen->numbers.device = "device";
    screen->text.host = test_allocate(TEXT_CELLS * sizeof *screen->text.host);
    screen->tools = (Tools){.color = 1, .other = 2, .radius = 8};
    screen->tools.source = &screen->source;
    return 0;
}

static int teardown(void **state) {
    free(screen->text.host);
    free(screen);
    return 0;
}

#define TEST(name) TEST_BETWEEN(name, setup, teardown)

/* Checks that the middle of each clickable area belongs to this area only. */
static void expectAreas(void) {
    const Text *text = &screen->text;
    for (uint32_t i = 0; i < screen->hud.areaCount; ++i) {
        const HudArea *area = &screen->hud.areas[i];
        const TextPanel *panel = &text->panels[area->panel];
        const uint32_t wide = panel->columns * text->cellWidth;
        const uint32_t high = panel->rows * text->cellHeight;
        assert_true(wide <= text->width && high <= text->height);
        const float x = panel->left * (float)(text->width - wide) +
                        ((float)area->column + (float)area->columns / 2) * (float)text->cellWidth;
        const float y = panel->top * (float)(text->height - high) +
                        ((float)area->row + 0.5f) * (float)text->cellHeight;
        HudArea found;
        assert_true(hudFind(&screen->hud, text, x, y, &found));
        assert_int_equal(found.command, area->command);
        assert_int_equal(found.value, area->value);
    }
}

static bool hasTitle(uint32_t fold) {
    uint32_t titles = 0;
    for (uint32_t i = 0; i < screen->hud.areaCount; ++i) {
        const HudArea *area = &screen->hud.areas[i];
        titles += area->command == COMMAND_FOLD && area->value == fold;
    }
    assert_in_range(titles, 0, 1);
    return titles;
}

/* Clicks the title of a section. */
static void clickTitle(uint32_t fold) {
    assert_true(hasTitle(fold));
    hudFold(&screen->hud, fold);
}

static bool isOpen(uint32_t fold) {
    return screen->hud.open & 1u << fold;
}

/* Checks that no panel overlaps another, and that every area can be clicked. */
static void expectApart(void) {
    const Text *text = &screen->text;
    for (uint32_t y = 4; y < text->height; y += 8) {
        for (uint32_t x = 4; x < text->width; x += 8) {
            uint32_t over = 0;
            for (uint32_t p = 0; p < text->panelCount; ++p) {
                Text alone = *text;
                uint32_t panel, row;
                float column;
                alone.panels[0] = text->panels[p];
                alone.panelCount = 1;
                over += textFind(&alone, (float)x, (float)y, &panel, &row, &column);
            }
            assert_in_range(over, 0, 1);
        }
    }
    expectAreas();
}

/* In windows of any size, a click on a title opens its section. Others fold only if space is
 * short. */
TEST(panels_fold_and_lie_apart) {
    static const uint32_t sizes[][2] = {
        {320, 240}, {500, 450}, {640, 300}, {800, 600}, {1280, 720}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const uint32_t width = sizes[i][0];
        const uint32_t height = sizes[i][1];
        memset(&screen->hud, 0, sizeof screen->hud);
        write(width, height, 1);
        assert_true(isOpen(FOLD_STRIP));
        assert_int_equal(isOpen(SECTION_TOOLS), height > 240);
        assert_int_equal(isOpen(FOLD_PALETTE), width >= 500);
        assert_false(isOpen(FOLD_NUMBERS));
        uint32_t panel = FOLD_STRIP;
        for (uint32_t fold = FOLD_STRIP; fold < FOLDS; ++fold) {
            panel = fold == FOLD_PALETTE || fold == FOLD_NUMBERS ? fold : panel;
            for (int tries = 0; !isOpen(fold) && tries < 8; ++tries) {
                uint32_t shown = fold;
                for (uint32_t f = fold == panel ? fold : panel + 1; !hasTitle(shown); ++f) {
                    shown = f; /* the only section */
                }
                clickTitle(shown);
                write(width, height, 1);
                expectApart();
            }
            assert_true(isOpen(fold));
        }
        if (width == 1280) { /* almost all sections fit */
            assert_true(isOpen(FOLD_STRIP) && isOpen(FOLD_PALETTE));
            assert_true(isOpen(FOLD_TIMES) && isOpen(FOLD_COLORS));
        }
        clickTitle(FOLD_NUMBERS);
        write(width, height, 1);
        assert_false(isOpen(FOLD_NUMBERS));
        clickTitle(FOLD_PALETTE);
        write(width, height, 1);
        assert_true(hasTitle(FOLD_NUMBERS));
    }
    assert_false(isOpen(FOLD_PALETTE));
    write(320, 160, 1); /* some sections do not fit, but their titles do */
    clickTitle(SECTION_OWN);
    write(320, 160, 1);
    assert_true(hasTitle(SECTION_OWN) && hasTitle(FOLD_PALETTE - 1));
    assert_false(isOpen(SECTION_OWN));
    write(320, 96, 1); /* not all titles fit */
    assert_true(hasTitle(FOLD_STRIP) && !isOpen(FOLD_STRIP));
    screen->hud.hidden = true;
    write(1280, 720, 1);
    assert_int_equal(screen->text.panelCount, 0);
    hudFold(&screen->hud, FOLD_NUMBERS);
    write(1280, 720, 1);
    assert_true(isOpen(FOLD_NUMBERS) && !isOpen(FOLD_STRIP));
}

/* Panels cover the same fraction of pictures of all sizes and pixel sizes. All areas can be
 * clicked. */
TEST(panels_grow_with_the_picture) {
    static const struct {
        uint32_t width, height;
        float scale;
    } sizes[] = {{1280, 720, 1},  {1920, 1080, 1}, {2560, 1440, 1}, {3840, 2160, 1},
                 {2560, 1440, 2}, {5120, 2880, 2}, {7680, 4320, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (uint32_t numbers = 0; numbers < 2; ++numbers) {
            screen->hud.wishes[FOLD_NUMBERS] = (int32_t)numbers;
            write(sizes[i].width, sizes[i].height, sizes[i].scale);
            assert_int_equal(screen->text.panelCount, 2 + numbers);
            assert_true(screen->hud.areaCount > 255 + 30);
            expectAreas();
        }
        const double letter = (double)screen->text.cellHeight / sizes[i].height;
        assert_true(letter > 1.0 / 70 && letter < 1.0 / 40);
        screen->hud.help = 1;
        write(sizes[i].width, sizes[i].height, sizes[i].scale);
        const TextPanel *help = &screen->text.panels[screen->text.panelCount - 1];
        assert_true(help->columns * screen->text.cellWidth <= sizes[i].width);
        assert_true(help->rows * screen->text.cellHeight <= sizes[i].height);
        screen->hud.help = 0;
    }
    write(2560, 1440, 1);
    const uint32_t plain = screen->text.cellHeight;
    write(2560, 1440, 2); /* pixels of half the size */
    assert_true(screen->text.cellHeight > plain);
    write(3840, 2160, 1);
    const uint32_t letter = screen->text.cellHeight;
    screen->hud.zoom = 0.5f;
    write(3840, 2160, 1);
    assert_true(screen->text.cellHeight < letter);
    write(200, 300, 1); /* no panel fits, so none hides the picture */
    assert_int_equal(screen->hud.areaCount, 0);
}

/* ---- The table of widgets ------------------------------------------------------------------- */

/* Returns whether the panels show these words in one row. */
static bool isShown(const Text *text, const char *words) {
    const size_t length = strlen(words);
    for (uint32_t i = 0; i + length <= text->used; ++i) {
        size_t same = 0;
        while (same < length && ((text->host[i + same] & 255) == (uint8_t)words[same] ||
                                 (text->host[i + same] == 0 && words[same] == ' '))) {
            ++same;
        }
        if (same == length) {
            return true;
        }
    }
    return false;
}

/* Returns the command of a key. keys: begins with its name in the table. */
static Command commandOf(const char *keys) {
    static const struct {
        const char *name;
        int key;
    } named[] = {{"Del", GLFW_KEY_DELETE},   {"Home", GLFW_KEY_HOME},
                 {"Tab", GLFW_KEY_TAB},      {"F1", GLFW_KEY_F1},
                 {"F11", GLFW_KEY_F11},      {"Enter", GLFW_KEY_ENTER},
                 {"Esc", GLFW_KEY_ESCAPE},   {"Backspace", GLFW_KEY_BACKSPACE},
                 {"Left", GLFW_KEY_LEFT},    {"Right", GLFW_KEY_RIGHT},
                 {"Up", GLFW_KEY_UP},        {"Down", GLFW_KEY_DOWN},
                 {"PgUp", GLFW_KEY_PAGE_UP}, {"PgDn", GLFW_KEY_PAGE_DOWN}};
    const bool control = strncmp(keys, "Ctrl+", 5) == 0;
    keys += control ? 5 : 0;
    const bool shift = strncmp(keys, "Shift+", 6) == 0;
    keys += shift ? 6 : 0;
    if (widgetKeyLength(keys) == 1) {
        return inputCommand(toupper(*keys), (char)tolower(*keys), control, shift);
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; ++i) {
        if (strncmp(keys, named[i].name, widgetKeyLength(keys)) == 0) {
            return inputCommand(named[i].key, 0, control, shift);
        }
    }
    fail_msg("no key is called %s", keys);
    return COMMAND_NONE;
}

/* Each row of the table has a command's keys, button and help. All of them must be correct. */
TEST(widgets_agree) {
    const Widget *widget;
    uint32_t buttons = 0;
    uint32_t seen[512] = {0};
    write(1280, 1080, 1);
    for (uint32_t i = 0; i < screen->hud.areaCount; ++i) {
        buttons += screen->hud.areas[i].panel == 0 && screen->hud.areas[i].command != COMMAND_FOLD;
    }
    for (uint32_t i = 0; (widget = widgetAt(i)); ++i) {
        assert_true(widget->help[0] && widget->keys[0]);
        assert_true((widget->command == COMMAND_NONE) == (widget->words == NULL));
        assert_true(seen[widget->command]++ == 0 || !widget->command);
        for (const char *keys = widget->keys; widget->command && *keys;
             keys = widgetNextKey(keys)) { /* so no two rows share a key */
            assert_int_equal(commandOf(keys), widget->command);
        }
        bool found = widget->section == SECTION_KEYS;
        if (widget->command >= COMMAND_TOOL_FIRST && widget->command < COMMAND_TOOL_SELECT) {
            assert_string_equal(widget->words, editToolName(widget->command - COMMAND_TOOL_FIRST));
        }
        assert_true(found || strlen(widget->words) + widgetKeyLength(widget->keys) < 24);
        for (uint32_t k = 0; !found && k < screen->hud.areaCount; ++k) {
            found = screen->hud.areas[k].command == widget->command;
        }
        assert_true(found);
        buttons -= widget->section != SECTION_KEYS;
    }
    assert_int_equal(buttons, 0);
    assert_true(screen->text.panels[0].rows < screen->text.height / screen->text.cellHeight);
    assert_true(isShown(&screen->text, ">add") && isShown(&screen->text, " dig"));
    assert_true(isShown(&screen->text, ">view: flat"));
    assert_true(isShown(&screen->text, "\n\v")); /* both halves of a frame */
    uint32_t cells = 0;
    for (uint32_t i = 0; i < screen->text.panelCount; ++i) {
        cells += screen->text.panels[i].rows * screen->text.panels[i].columns;
    }
    assert_int_equal(screen->text.used, cells);
    assert_true(isShown(&screen->text, "undo") && isShown(&screen->text, " Ctrl+Z"));
    for (Command command = COMMAND_TOOL_FIRST; command < COMMAND_PRESS; ++command) {
        assert_true(seen[command]);
    }
    assert_int_equal(inputCommand('W', 'w', false, false), COMMAND_NONE); /* it moves the camera */
    assert_int_equal(inputCommand('V', 'v', false, true), COMMAND_VIEW);
    assert_int_equal(inputCommand('Q', 'q', true, true), COMMAND_NONE);
    assert_string_equal(widgetSays("# saves; #", COMMAND_SAVE, COMMAND_REDO),
                        "Ctrl+S saves; Ctrl+Y");
}

/* Windows of any width show each word of a long message or question, and the answers. */
TEST(long_words_wrap) {
    static const char message[] = "left out: 12 further frames, 3 hidden objects, 7 materials that "
                                  "are not light";
    for (uint32_t width = 80; width < 1300; width *= 2) {
        memset(&screen->hud, 0, sizeof screen->hud);
        hudSay(&screen->hud, HUD_PLAIN, "%s", message);
        write(width, 480, 1);
        assert_int_equal(screen->hud.through, screen->text.panelCount - 1);
        const TextPanel *panel = &screen->text.panels[screen->hud.through];
        for (uint32_t row = 0; row < panel->rows; ++row) {
            assert_int_not_equal(screen->text.host[panel->first + row * panel->columns + 1] & 255,
                                 ' ');
        }
        for (const char *at = message; *at; at += strcspn(at, " ") + (strchr(at, ' ') != NULL)) {
            char word[16];
            (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
            assert_true(isShown(&screen->text, word));
        }
        (void)strcpy(screen->hud.question, "A question that is long, for a file of a long name?\n"
                                           "goes on with it\nthrows it away\nleaves it there");
        write(width, 480, 1);
        assert_true(isShown(&screen->text, "name?") && isShown(&screen->text, "there"));
        uint32_t answers[3] = {0};
        for (uint32_t i = 0; i < screen->hud.areaCount; ++i) {
            const uint32_t answer = screen->hud.areas[i].command - COMMAND_CONFIRM;
            answers[answer < 3 ? answer : 0] += answer < 3;
        }
        assert_true(answers[0] && answers[1] && answers[2]);
        if (width > 160) { /* the whole question fits */
            expectAreas();
        }
        screen->hud.question[0] = '\0';
    }
    hudSay(&screen->hud, HUD_PLAIN, "%060d", 7);
    write(320, 480, 1);
    assert_true(isShown(&screen->text, "0007"));
    assert_int_equal(screen->text.panels[screen->hud.through].rows, 2);
}

TEST(numbers_wrap) {
    HudNumbers *numbers = &screen->numbers;
    numbers->device = "A device of a name longer than its panel (driver 1)";
    *numbers->passes = numbers->frame = numbers->trace = 12.5;
    numbers->edit = -1;
    numbers->hasLast = true;
    numbers->last = (WorldReport){.voxels = 1234567, .changes = 9, .milliseconds = 2};
    numbers->use = (WorldUse){.payloads = 1500, .poolBricks = 3000, .bricks = 7, .tableSlots = 70};
    hudFold(&screen->hud, FOLD_NUMBERS);
    for (uint32_t width = 320; width < 1300; width += 960) {
        static const char *const lines[] = {"A device of a name longer",
                                            "(driver 1)",
                                            "frame    12.50 ms",
                                            "edits        - ms",
                                            "last: 2.000 ms, 9 bricks, 1.2 M",
                                            "617.3 M/s",
                                            "pool  1.5 k of 3.0 k",
                                            "table 7 of 70",
                                            "load 0.100",
                                            "cells 12500",
                                            "0 refused"};
        write(width, 960, 1);
        for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
            if (!isShown(&screen->text, lines[i])) {
                fail_msg("not shown: %s", lines[i]);
            }
        }
    }
}

/* In windows of any size, the pages of the help show all keys. */
TEST(help_has_all_keys) {
    static const uint32_t sizes[][2] = {{320, 240}, {640, 480}, {1280, 720}, {3840, 2160}};
    for (size_t i = 0; i < 4; ++i) {
        const Widget *widget;
        uint32_t seen[128] = {0};
        uint32_t pages = 0;
        for (screen->hud.help = 1;; ++screen->hud.help, ++pages) {
            write(sizes[i][0], sizes[i][1], 1);
            if (!screen->hud.help) {
                break;
            }
            expectAreas();
            for (uint32_t row = 1; row < screen->text.panels[0].rows; ++row) {
                const uint32_t help = row * screen->text.panels[0].columns + 21;
                assert_int_not_equal(screen->text.host[help] & 255, ' ');
            }
            for (uint32_t k = 0; (widget = widgetAt(k)); ++k) {
                char line[96];
                const char *last = strrchr(widget->help, ' ');
                (void)snprintf(line, sizeof line, "%-20s%.8s", widget->keys, widget->help);
                seen[k] |= isShown(&screen->text, line);
                seen[k] |= 2 * isShown(&screen->text, last ? last + 1 : widget->help);
            }
        }
        assert_in_range(pages, 1, i < 2 ? 12 : 1);
        for (uint32_t k = 0; widgetAt(k); ++k) {
            assert_int_equal(seen[k], 3);
        }
    }
}

/* A message requests a redraw when it appears and when it disappears, and none between. */
TEST(messages_fade) {
    hudSay(&screen->hud, HUD_PLAIN, "saved");
    assert_true(screen->hud.news);
    write(1280, 720, 1);
    const uint32_t panels = screen->text.panelCount;
    hudPass(&screen->hud, 2);
    assert_false(screen->hud.news);
    hudPass(&screen->hud, 5);
    assert_true(screen->hud.news);
    write(1280, 720, 1);
    assert_int_equal(screen->text.panelCount, panels - 1);
    hudPass(&screen->hud, 5);
    assert_false(screen->hud.news);
    screen->hud.hidden = true; /* hidden panels do not hide warnings */
    for (int i = 0; i < 2; ++i) {
        hudSay(&screen->hud, i ? HUD_WARNING : HUD_PLAIN, "said");
        write(1280, 720, 1);
        assert_int_equal(isShown(&screen->text, "said"), i);
    }
}

/* ---- Editing colours ------------------------------------------------------------------------ */

static void expectColor(uint32_t rgb, uint32_t hue, uint32_t saturation, uint32_t value) {
    const Palette *palette = &screen->tools.palette;
    assert_int_equal(paletteGet(palette, &screen->source, 1, COLOR_RGB), rgb);
    assert_int_equal(paletteGet(palette, &screen->source, 1, COLOR_HUE), hue);
    assert_int_equal(paletteGet(palette, &screen->source, 1, COLOR_SATURATION), saturation);
    assert_int_equal(paletteGet(palette, &screen->source, 1, COLOR_VALUE), value);
}

static void set(uint32_t channel, uint32_t value, uint32_t stroke) {
    paletteSet(&screen->tools.palette, &screen->source, 1, channel, value, stroke);
}

/* Tests hue, saturation and value of colours. A colour that becomes black or grey keeps its last
 * hue (and, if black, its last saturation). */
TEST(colours_have_a_hue) {
    static const uint32_t cases[][4] = {
        {0xFF0000, 0, 100, 100},  {0xFFFF00, 60, 100, 100},  {0x00FF00, 120, 100, 100},
        {0x008080, 180, 100, 50}, {0x8080FF, 240, 50, 100},  {0xFF00FF, 300, 100, 100},
        {0x804020, 20, 75, 50},   {0xFF0080, 330, 100, 100}, {0xFF0001, 0, 100, 100},
        {0x336699, 210, 67, 60},  {0x999999, 0, 0, 60},      {0xFFFFFF, 0, 0, 100},
        {0x000000, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const uint32_t *c = cases[i];
        screen->tools.palette = (Palette){0};
        set(COLOR_RGB, 0x010203, 1);
        set(COLOR_RGB, c[0], 2);
        expectColor(c[0], c[1], c[2], c[3]);
    }
    set(COLOR_HUE, 210, 3); /* black keeps the hue for later */
    set(COLOR_SATURATION, 50, 3);
    expectColor(0x000000, 210, 50, 0);
    set(COLOR_VALUE, 80, 4);
    expectColor(0x6699CC, 210, 50, 80);
    set(COLOR_SATURATION, 0, 5);
    expectColor(0xCCCCCC, 210, 0, 80);
    set(COLOR_SATURATION, 1, 5);
    set(COLOR_SATURATION, 50, 5);
    expectColor(0x6699CC, 210, 50, 80);
    set(COLOR_VALUE, 0, 6);
    set(COLOR_VALUE, 80, 6);
    expectColor(0x6699CC, 210, 50, 80);
    set(0, 0xCC, 7); /* red changes hue and saturation */
    expectColor(0xCC99CC, 300, 25, 80);
    assert_true(paletteUndo(&screen->tools.palette, &screen->source, 0));
    expectColor(0x6699CC, 210, 50, 80);
    set(COLOR_RGB, 0x000000, 8);
    expectColor(0x000000, 210, 50, 0);
    assert_false(paletteRedo(&screen->tools.palette, &screen->source, 0)); /* nothing to redo */
    set(COLOR_LIGHT, 40, 9);
    assert_int_equal(paletteGet(&screen->tools.palette, &screen->source, 1, COLOR_LIGHT), 40);
    assert_true(paletteUndo(&screen->tools.palette, &screen->source, 0));
    assert_int_equal(paletteGet(&screen->tools.palette, &screen->source, 1, COLOR_LIGHT), 0);
    static const char *const wrong[] = {"",       "#",       "12345",  "1234567",
                                        "12345g", "123456g", "0x1234", "##1234"};
    uint32_t rgb = 0;
    assert_true(colorRead("#fF8001", &rgb) && rgb == 0xFF8001);
    assert_true(colorRead("012345", &rgb) && rgb == 0x012345);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_false(colorRead(wrong[i], &rgb));
    }
    assert_int_equal(paletteGet(&screen->tools.palette, &screen->source, 2, COLOR_HUE), 0);
    paletteSet(&screen->tools.palette, &screen->source, 2, 0, 9, 8);
    assert_true(paletteUndo(&screen->tools.palette, &screen->source, 0));
    expectColor(0x000000, 210, 50, 0);
}

/* Panels show the voxel under the mouse and a box's size. Clicks pass through these panels. */
TEST(measures_are_shown) {
    static const int32_t at[3] = {-12, 3, 40};
    static const int32_t size[3] = {1, 3, 5};
    HudNumbers *numbers = &screen->numbers;
    write(1280, 720, 1);
    assert_false(isShown(&screen->text, "-12 3 40"));
    numbers->measures = true;
    memcpy(numbers->at, at, sizeof at);
    for (int i = 0; i < 3; ++i) {
        numbers->size[i] = 1;
    }
    write(1280, 720, 1);
    assert_true(isShown(&screen->text, "-12 3 40") && !isShown(&screen->text, "size"));
    memcpy(numbers->size, size, sizeof size);
    hudSay(&screen->hud, HUD_PLAIN, "said");
    write(1280, 720, 1);
    assert_true(isShown(&screen->text, "size 1 x 3 x 5") && isShown(&screen->text, "said"));
    HudArea area;
    assert_false(hudFind(&screen->hud, &screen->text, 640, 719, &area));
    assert_false(hudFind(&screen->hud, &screen->text, 640, 0.94f * 704 + 8, &area));
    screen->hud.hidden = true;
    write(1280, 720, 1);
    assert_false(isShown(&screen->text, "-12 3 40"));
}

/* The framed box lies between the panels and, except for a margin, touches a panel or the picture's
 * upper or lower edge. If panels leave too little space, the box lies in the whole picture. */
TEST(panels_leave_room_for_what_is_framed) {
    static const uint32_t low[3] = {100, 200, 300};
    static const uint32_t high[3] = {180, 230, 340};
    static const struct {
        uint32_t width, height;
        bool beside;
    } sizes[] = {{1280, 720, true}, {2560, 1440, true}, {1000, 900, true}, {330, 240, false}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const float aspect = (float)sizes[i].width / (float)sizes[i].height;
        const Orbit orbit = {30, 20, 1};
        float part[2];
        write(sizes[i].width, sizes[i].height, 1);
        hudFree(&screen->text, part);
        assert_int_equal(part[0] > 0 && part[1] < 1, sizes[i].beside);
        const Camera camera = cameraBeside(low, high, &orbit, 0.45f, aspect, part);
        const CameraAxes axes = cameraAxes(&camera);
        float most[2] = {0, 0};
        for (int corner = 0; corner < 8; ++corner) {
            double ahead = 0, right = 0, up = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const double to = (corner >> axis & 1 ? high : low)[axis] - camera.position[axis];
                ahead += to * (double)axes.forward[axis];
                right += to * (double)axes.right[axis];
                up += to * (double)axes.up[axis];
            }
            const double x = 0.5 + right / ahead / (0.9 * (double)aspect);
            const float off = (float)fabs(2 * (x - (double)part[0]) / (double)(part[1] - part[0]) -
                                          1);
            const float high2 = (float)fabs(up / ahead / 0.45);
            most[0] = off > most[0] ? off : most[0];
            most[1] = high2 > most[1] ? high2 : most[1];
        }
        assert_true(most[0] < 1.0f && most[1] < 1.0f);
        assert_true(most[0] > 0.85f || most[1] > 0.85f);
    }
}
