/* Choices of a setting: one list of X(ENUMERATOR, "name") makes the enum and the array of names. */
#ifndef FATHOM_RENDER_LIGHT_CHOICE_H
#define FATHOM_RENDER_LIGHT_CHOICE_H

#include "render/inline.h"

#define CHOICE_ID(id, name)   id,
#define CHOICE_NAME(id, name) name,

#endif
