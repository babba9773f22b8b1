/**
 * The tab index of a scrollable region, so that it scrolls by keyboard (WCAG 2.1.1). Not all browsers do that by
 * default.
 */
export const SCROLL_REGION = 0;
