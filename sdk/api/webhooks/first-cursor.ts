/** The cursor before an account's first event. */
export const FIRST_CURSOR = "evt_00000000000000000000000000";
