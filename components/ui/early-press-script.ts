/**
 * Remembers the last press of a button or switch that is marked `data-early`. A switch does not turn by itself: it
 * would show what is not set.
 */
const PRESSES = `addEventListener("click",function(e){var b=e.target.closest&&e.target.closest("[data-early]");if(b&&window.halcyonPressed!==null){window.halcyonPressed=b;if(b.type==="checkbox")e.preventDefault()}},true);`;

/**
 * Remembers the button that submits a form, and keeps the browser from submitting it: that would load the page again,
 * with what was typed, perhaps an amount, in its address. Not where a form names an address, because it then works
 * without scripts.
 */
const SUBMITS = `addEventListener("submit",function(e){if(window.halcyonPressed===null||e.target.hasAttribute("action"))return;e.preventDefault();window.halcyonPressed=e.submitter||e.target},true);`;

/** Remembers the button that `/` presses, also for Ctrl or ⌘ with K. Not while someone types a slash. */
const KEYS = `addEventListener("keydown",function(e){var t=e.target;if(window.halcyonPressed===null||(e.metaKey||e.ctrlKey?!/^k$/i.test(e.key):e.key!=="/"||t.closest&&t.closest("input,textarea,select,[contenteditable]")))return;var b=document.querySelector('[data-early="/"]');if(b){e.preventDefault();window.halcyonPressed=b}},true);`;

/** Runs before all other scripts, so that what is pressed before they have loaded is not lost. */
export const REMEMBER_PRESS = PRESSES + SUBMITS + KEYS;
