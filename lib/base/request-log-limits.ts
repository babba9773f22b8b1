/** For how many days requests with an API key are listed. */
export const REQUEST_LOG_DAYS = 7;
