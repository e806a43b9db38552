/*
 * Media: the six machines on which claims are measured.
 *
 * Every medium has bandwidth CS_MEDIUM_BPS and no latency, so that times are
 * multiples of V/beta.
 */
#ifndef CS_VALIDATE_CLAIMS_MEDIUM_H
#define CS_VALIDATE_CLAIMS_MEDIUM_H

#define CS_MEDIUM_BPS 1e10

enum cs_medium {
    CS_MEDIUM_BUS,
    CS_MEDIUM_HALF,
    CS_MEDIUM_FULL,
    CS_MEDIUM_MESH,
    CS_MEDIUM_BROADCAST,
    CS_MEDIUM_SHARP,
    CS_MEDIA,
};

/* The title of a column, "one-port full duplex", and a description. */
const char *cs_medium_name(enum cs_medium medium);
const char *cs_medium_about(enum cs_medium medium);

/* The machine of a medium, with "%u" for the number of ranks. */
const char *cs_medium_spec(enum cs_medium medium);

/* An all-reduce that the medium favours and that bounds of unicasts do not
 * cover, or NULL. */
const char *cs_medium_rival(enum cs_medium medium);

#endif
