import localFont from "next/font/local";

/**
 * As `geist/font/mono` has it, but for the preload: a page that shows no hash and no code loads none of its 70 kB.
 */
export const GeistMono = localFont({
  src: "../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-geist-mono",
  weight: "100 900",
  preload: false,
  adjustFontFallback: false,
  fallback: ["ui-monospace", "SFMono-Regular", "Menlo", "Liberation Mono", "DejaVu Sans Mono", "monospace"],
});
