/** For how many days requests with an API key are listed. */
export const REQUEST_LOG_DAYS = 7;

/** How many requests of an account on one network are kept, if the days have more: the newest ones. */
export const REQUEST_LOG_ROWS = 100_000;
