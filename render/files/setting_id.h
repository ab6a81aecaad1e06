/* Numbers of a scene's settings: their indices in setting_table. */
#ifndef FATHOM_RENDER_FILES_SETTING_ID_H
#define FATHOM_RENDER_FILES_SETTING_ID_H

enum setting_id {
#define SETTING(id, ...) SETTING_##id,
#include "render/files/setting_rows.def"
#undef SETTING
    SETTING_COUNT
};

#endif
