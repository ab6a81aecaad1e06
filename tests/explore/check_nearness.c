/* Nearness of locations: tests which locations count as the same in lists, and that a list keeps
 * only the newest of them. */
#include "app/explore/nearness.h"
#include "app/explore/recent.h"
#include "tests/shared/check.h"

static bool same(const char *a, const char *b) {
    struct nearness x, y;
    nearness_read(&x, a);
    nearness_read(&y, b);
    const bool is = nearness_same(&x, &y);
    CHECK(nearness_same(&y, &x) == is);
    nearness_finish(&x);
    nearness_finish(&y);
    return is;
}

#define VIEW(re, im, zoom) "[view]\nre = " re "\nim = " im "\nzoom = " zoom "\n"

static void check_same(void) {
    CHECK(same(VIEW("-0.75", "0.1", "1000"), VIEW("-0.75", "0.1", "1000")));
    CHECK(same(VIEW("-0.75", "0.1", "1000"), VIEW("-0.7504", "0.1003", "1150") "angle = 90\n"));
    CHECK(same(VIEW("-0.75", "0.1", "1000"), VIEW("-0.75", "0.1", "1000") "[colour]\npalette = x"));
    CHECK(!same(VIEW("-0.75", "0.1", "1000"), VIEW("-0.7506", "0.1", "1000")));
    CHECK(!same(VIEW("-0.75", "0.1", "1000"), VIEW("-0.75", "0.0994", "1000")));
    CHECK(!same(VIEW("-0.75", "0.1", "1000"), VIEW("-0.75", "0.1", "1250")));
    CHECK(!same(VIEW("-0.75", "0.1", "1000"), VIEW("-0.75", "0.1", "1000") "kind = density\n"));
    CHECK(same(VIEW("0", "0", "2") "kind = density\n", VIEW("0", "0", "2") "kind = density\n"));
}

/* Checks places that doubles cannot distinguish. */
static void check_deep(void) {
#define DIGITS "-0.7436438870371510000000000000000000000000"
    CHECK(same(VIEW(DIGITS "1", "0", "1e40"), VIEW(DIGITS "2", "0", "1e40")));
    CHECK(!same(VIEW(DIGITS "1", "0", "1e42"), VIEW(DIGITS "2", "0", "1e42")));
    CHECK(!same(VIEW("0", "0", "1e-300"), VIEW("0", "0", "1e100000")));
}

static void check_broken(void) {
    const char *const texts[] = {"",
                                 "nothing",
                                 "re = 1",
                                 "zoom = fish",
                                 "re = 1\nim = nan\n",
                                 VIEW("1", "2", "-3"),
                                 VIEW("0", "0", "1e999999999")};
    log_start();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(!same(texts[i], texts[i]));
    struct nearness none = {0};
    CHECK(!nearness_same(&none, &none));
    fflush(stderr);
    FILE *file = fopen(LOG_FILE, "r");
    CHECK(file && fgetc(file) == EOF);
    if (file)
        fclose(file);
}

static void add(struct recent *recent, const char *re, const char *zoom) {
    const char *why;
    SCOPED(scene, scene);
    CHECK(view_set_centre(&scene.view, re, "0.1", 0, &why) &&
          view_set_zoom(&scene.view, zoom, &why));
    recent_add(recent, &scene);
}

static void check_list(void) {
    struct recent *recent = recent_load();
    CHECK(recent);
    add(recent, "-0.75", "1000");
    add(recent, "-1.5", "1000");
    add(recent, "-0.7501", "1100");
    add(recent, "-0.7502", "1100");
    CHECK(recent_count(recent) == 2);
    CHECK(strstr(recent_text(recent, 0), "re = -0.7502"));
    CHECK(strstr(recent_text(recent, 1), "re = -1.5"));
    CHECK(recent_save(recent));
    recent_destroy(recent);
    recent = recent_load();
    CHECK(recent_count(recent) == 2);
    recent_destroy(recent);
}

int main(void) {
    check_same();
    check_deep();
    check_broken();
    if (system("rm -rf xdg") != 0)
        return 77;
    check_list();
    return failures != 0;
}
