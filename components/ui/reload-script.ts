/**
 * Runs before all other scripts. While two versions serve, a page of one may request its scripts and styles from the
 * other, which lacks them. The page then loads again, up to five times in half a minute, until both come from one
 * version. A page that has loaded is left alone, because someone may have typed something.
 */
export const RELOAD_WITHOUT_SCRIPTS = `addEventListener("error",function(e){var t=e.target,u=t&&(t.src||t.href);if(typeof u!=="string"||u.indexOf("/_next/static/")<0||document.readyState==="complete"||window.halcyonReloads)return;try{var n=Date.now(),k="halcyon.reloads",r=JSON.parse(sessionStorage.getItem(k)||"[]").filter(function(a){return n-a<3e4});if(r.length>4)return;r.push(n);sessionStorage.setItem(k,JSON.stringify(r));window.halcyonReloads=1;location.reload()}catch(_){}},true)`;
