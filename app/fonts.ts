import localFont from "next/font/local";

/** The same as `geist/font/mono`, but without preload: a page without hashes and code does not load its 70 kB. */
export const GeistMono = localFont({
  src: "../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-geist-mono",
  weight: "100 900",
  preload: false,
  adjustFontFallback: false,
  fallback: ["ui-monospace", "SFMono-Regular", "Menlo", "Liberation Mono", "DejaVu Sans Mono", "monospace"],
});
