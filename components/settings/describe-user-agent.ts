/** Checked in this order, because newer browsers also name older ones. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\//, "Headless Chrome"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const PROGRAMS: readonly [RegExp, string][] = [
  [/^node\b|^halcyon-sdk\/|\bundici\b/i, "Halcyon client for Node.js"],
  [/^curl\//i, "curl"],
  [/^python/i, "A Python program"],
];

const PHONES = ["iPhone", "iPad", "Android"];

const named = (list: readonly [RegExp, string][], text: string) => list.find(([pattern]) => pattern.test(text))?.[1];

/**
 * Describes what signed in, from its user agent. A client can send any user agent, so this helps to recognize one's own
 * devices but proves nothing.
 */
export function describeUserAgent(text: string | null): { name: string; kind: "computer" | "phone" | "program" } {
  if (!text) return { name: "Unknown program", kind: "program" };
  const browser = named(BROWSERS, text);
  const system = named(SYSTEMS, text);
  if (!browser) return { name: named(PROGRAMS, text) ?? text.slice(0, 60), kind: "program" };
  const kind = system && PHONES.includes(system) ? "phone" : "computer";
  return { name: system ? `${browser} on ${system}` : browser, kind };
}
