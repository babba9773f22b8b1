import decodeQR from "qr/decode.js";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import QrCode from "./qr-code";

/** Renders the image with several pixels per module, as a camera would see it. */
function photograph(svg: string, scale = 4) {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]) * scale;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dy = 0; dy < scale; dy++) {
      const start = ((Number(y) * scale + dy) * size + Number(x) * scale) * 4;
      for (let at = start; at < start + scale * 4; at += 4) data.fill(0, at, at + 3);
    }
  }
  return { width: size, height: size, data };
}

test("a reader finds exactly the link in it, and it says what it is", () => {
  const link = `wc:${"7f".repeat(32)}@2?expiryTimestamp=1795265400&relay-protocol=irn&symKey=${"0a".repeat(32)}`;
  const svg = renderToStaticMarkup(<QrCode value={link} label="Pairing link" />);
  expect(decodeQR(photograph(svg))).toBe(link);
  expect(svg).toContain('aria-label="Pairing link"');
});
