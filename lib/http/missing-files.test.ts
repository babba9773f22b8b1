import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { missingFiles } from "./missing-files";

const root = mkdtempSync(path.join(tmpdir(), "files-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a path below a folder of files that none of them has is known to be missing, and no other path is", () => {
  for (const file of [
    "dist/static/chunks/[id]/a.js",
    "dist/static/media/f.woff2",
    "public/screens/a.png",
    "public/b.js",
  ]) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), "");
  }
  const isMissing = missingFiles(path.join(root, "dist"), path.join(root, "public"));
  const present = ["/_next/static/chunks/%5Bid%5D/a.js", "/_next/static/media/f.woff2", "/screens/a.png", "/b.js"];
  for (const at of [...present, "/", "/docs/a", "/screens", "/prover/x"]) expect(isMissing(at), at).toBe(false);
  const missing = ["/_next/static/chunks/b.js", "/_next/static/", "/_next/static/chunks", "/screens/%2e%2e%2fb.js"];
  for (const at of [...missing, "/screens/b.png", "/screens/"]) expect(isMissing(at), at).toBe(true);
});
