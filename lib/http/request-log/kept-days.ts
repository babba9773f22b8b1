/** For how many days requests with an API key are listed. */
export const KEPT_DAYS = 7;
