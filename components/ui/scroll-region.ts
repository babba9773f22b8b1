/**
 * The tab index of what scrolls by itself: without it no one scrolls there by keyboard (WCAG 2.1.1; browsers differ in
 * whether they do it unasked).
 */
export const SCROLL_REGION = 0;
