import { readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { groth16 } from "snarkjs";
import { expect, test } from "./api/fixtures";

const ROOT = path.resolve(import.meta.dirname, "..");

interface InPage {
  proof: string;
  publicSignals: string[];
  expected: string[];
  verified: boolean;
  tampered: boolean;
  refused: unknown;
}

/** Returns the page's half of the test as one script, which sets `inPage`. */
async function pageScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["test/prover/in-page.ts"],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "inPage",
    platform: "browser",
    target: "es2022",
  });
  return outputFiles[0]?.text ?? "";
}

/** Converts a proof of 256 bytes in the EVM's order to snarkjs's format. */
function snarkjsProof(proof: string) {
  const [ax = "", ay = "", bx1 = "", bx0 = "", by1 = "", by0 = "", cx = "", cy = ""] = (
    proof.slice(2).match(/.{64}/g) ?? []
  ).map((hex) => BigInt(`0x${hex}`).toString());
  return {
    protocol: "groth16",
    curve: "bn128",
    pi_a: [ax, ay, "1"],
    pi_b: [
      [bx0, bx1],
      [by0, by1],
      ["1", "0"],
    ],
    pi_c: [cx, cy, "1"],
  };
}

test("a browser proves a payment in its own worker, under the page's policy, and snarkjs verifies it", async ({
  page,
  request,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const sent: string[] = [];
  page.on("request", (each) => sent.push(`${each.method()} ${new URL(each.url()).pathname}`));

  await page.goto("/");
  const result = (await page.evaluate(`${await pageScript()}\ninPage.proveInPage()`)) as InPage;

  expect(result).toMatchObject({ verified: true, tampered: false, refused: "UnsatisfiedCircuit" });
  expect(result.publicSignals).toEqual(result.expected);
  const vkey = await (await request.get("/circuits/transfer.vkey.json")).json();
  expect(vkey).toEqual(JSON.parse(readFileSync(path.join(ROOT, "circuits/artifacts/transfer.vkey.json"), "utf8")));
  expect(await groth16.verify(vkey, result.publicSignals, snarkjsProof(result.proof))).toBe(true);
  expect(complaints).toEqual([]);
  // The witness stays in the browser: it only requests public files.
  expect(sent.filter((each) => !each.startsWith("GET "))).toEqual([]);
});

test("only the circuits' files are served, and revalidated", async ({ request }) => {
  for (const file of ["nothing.zkey", "powers-of-tau.ptau", "..%2Fmanifest.json", "__proto__"]) {
    expect((await request.get(`/circuits/${file}`)).status()).toBe(404);
  }
  const first = await request.get("/circuits/transfer.zkey");
  expect(first.status()).toBe(200);
  const etag = first.headers().etag ?? "";
  expect((await request.get("/circuits/transfer.zkey", { headers: { "if-none-match": etag } })).status()).toBe(304);
});
