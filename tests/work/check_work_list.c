/* Work lists: who gets a piece, who takes over a silent or dead claim, and what is left behind. */
#include "app/work/work_list.h"
#include "tests/shared/check.h"
#include <dirent.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FOLDER  "pieces"
#define PIECE   FOLDER "/one"
#define TAKERS  6
#define ROUNDS  20
#define WAIT_MS 60000 /* for a thread on a busy machine */

static void wait_1_ms(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static int files(void) {
    int count = 0;
    DIR *folder = opendir(FOLDER);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static enum work_state claim(struct work_list *list) {
    return work_list_claim(list, PIECE);
}

static void check_owners(void) {
    struct work_list a, b;
    work_list_init(&a);
    work_list_init(&b);
    CHECK(claim(&a) == WORK_OURS);
    CHECK(claim(&b) == WORK_TAKEN && claim(&a) == WORK_TAKEN);
    CHECK(work_list_claim(&b, FOLDER "/two") == WORK_OURS);
    work_list_release(&b, PIECE); /* not his */
    CHECK(claim(&b) == WORK_TAKEN);
    work_list_release(&a, PIECE);
    CHECK(claim(&b) == WORK_OURS && claim(&a) == WORK_TAKEN);
    work_list_finish(&b);
    CHECK(files() == 0);
    CHECK_REFUSED(work_list_claim(&a, "absent/piece") != WORK_FAILED, "absent/piece.claim");
    work_list_finish(&a);
}

static void read_claim(const char *path, char text[static WORK_TEXT]) {
    FILE *file = fopen(path, "rb");
    memset(text, 0, WORK_TEXT);
    CHECK(file && fread(text, 1, WORK_TEXT, file) == WORK_TEXT);
    if (file)
        fclose(file);
}

/* A claim counts up, so it is not silent. */
static void check_counting(void) {
    struct work_list a;
    char first[WORK_TEXT], text[WORK_TEXT];
    work_list_init(&a);
    a.beat_ms = 1;
    CHECK(claim(&a) == WORK_OURS);
    read_claim(PIECE ".claim", first);
    int waited = 0;
    do {
        wait_1_ms();
        read_claim(PIECE ".claim", text);
    } while (memcmp(first, text, WORK_TEXT) == 0 && waited++ < WAIT_MS);
    CHECK(memcmp(first, text, WORK_TEXT) != 0);
    work_list_finish(&a);
}

/* A silent claim is taken over, and its owner does no harm when he is back. */
static void check_silence(void) {
    struct work_list slow, taker, third;
    work_list_init(&slow);
    work_list_init(&taker);
    work_list_init(&third);
    slow.beat_ms = 1e9;
    taker.silent_ms = 30;
    CHECK(claim(&slow) == WORK_OURS);
    CHECK(claim(&taker) == WORK_TAKEN); /* the first look proves nothing */
    int waited = 0;
    enum work_state state;
    while ((state = claim(&taker)) == WORK_TAKEN && waited++ < WAIT_MS)
        wait_1_ms();
    CHECK(state == WORK_OURS);
    CHECK(access(PIECE ".claim2", F_OK) == 0 && claim(&third) == WORK_TAKEN);
    work_list_release(&slow, PIECE);
    CHECK(access(PIECE ".claim2", F_OK) == 0);
    work_list_finish(&taker);
    work_list_finish(&slow);
    CHECK(files() == 0);
    work_list_finish(&third);
}

struct takers {
    atomic_int ready, winners, ended;
};

static void *take(void *user) {
    struct takers *takers = user;
    struct work_list list;
    work_list_init(&list);
    atomic_fetch_add(&takers->ready, 1);
    while (atomic_load(&takers->ready) < TAKERS)
        sched_yield();
    const enum work_state state = claim(&list);
    atomic_fetch_add(&takers->winners, state == WORK_OURS);
    atomic_fetch_add(&takers->ended, 1);
    while (atomic_load(&takers->ended) < TAKERS)
        sched_yield();
    work_list_finish(&list);
    return NULL;
}

/* The claim of a process that was killed is taken over at once, by one of several. */
static void check_takers(void) {
    for (int round = 0; round < ROUNDS; round++) {
        struct takers takers = {0};
        pthread_t threads[TAKERS];
        const pid_t child = fork();
        if (child == 0) {
            struct work_list list;
            work_list_init(&list);
            _exit(claim(&list) == WORK_OURS ? 0 : 1);
        }
        int status = 1;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        for (int i = 0; i < TAKERS; i++)
            pthread_create(&threads[i], NULL, take, &takers);
        for (int i = 0; i < TAKERS; i++)
            pthread_join(threads[i], NULL);
        CHECK(atomic_load(&takers.winners) == 1);
        CHECK(files() == 0);
    }
}

static void check_leftovers(void) {
    file_put(FOLDER "/data", "x", 1);
    file_put(PIECE ".claim", "x", 1);
    file_put(PIECE ".claim3", "x", 1);
    work_list_remove_claims(FOLDER);
    CHECK(files() == 1);
    remove(FOLDER "/data");
}

static void check_parts(void) {
    static const char *const wrong[] = {"",    "1",     "1/",   "3/3", "-1/2",
                                        "0/0", "1/2/3", " 1/2", "a/b"};
    struct work_part part;
    CHECK(work_part_parse(NULL, &part) && part.of == 0 && work_part_has(&part, 7));
    CHECK(work_part_parse("2/3", &part) && work_part_has(&part, 5) && !work_part_has(&part, 6));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_REFUSED(work_part_parse(wrong[i], &part), "--part takes K/N");
    for (uint64_t count = 0; count < 12; count++) {
        uint64_t begin, end, next = 0;
        for (part = (struct work_part){0, 5}; part.number < part.of; part.number++) {
            work_part_range(&part, count, &begin, &end);
            CHECK(begin == next && end >= begin && end - begin <= count / 5 + 1);
            next = end;
        }
        CHECK(next == count);
    }
}

int main(void) {
    mkdir(FOLDER, 0777);
    work_list_remove_claims(FOLDER);
    check_takers(); /* first, since it forks */
    check_owners();
    check_counting();
    check_silence();
    check_leftovers();
    check_parts();
    if (failures == 0)
        puts("all passed");
    return failures != 0;
}
