/**
 * Runs before all other scripts: keeps the last press of a button that only opens something (`data-early`), which without
 * the page's own scripts would do nothing.
 */
export const REMEMBER_PRESS = `addEventListener("click",function(e){var b=e.target.closest&&e.target.closest("[data-early]");if(b&&window.halcyonPressed!==null)window.halcyonPressed=b},true)`;
