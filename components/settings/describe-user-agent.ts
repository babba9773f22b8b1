/** In the order of asking: later browsers name earlier ones as well. */
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

/** What signed in, in words. Anyone can send any user agent: it helps to recognise one's own, and proves nothing. */
export function describeUserAgent(text: string | null): { name: string; kind: "computer" | "phone" | "program" } {
  if (!text) return { name: "Unknown program", kind: "program" };
  const browser = named(BROWSERS, text);
  const system = named(SYSTEMS, text);
  if (!browser) return { name: named(PROGRAMS, text) ?? text.slice(0, 60), kind: "program" };
  const kind = system && PHONES.includes(system) ? "phone" : "computer";
  return { name: system ? `${browser} on ${system}` : browser, kind };
}
