/* One process of a seller: takes the claims from standard input, all at once, and prints the result of each. */
import { createInterface } from "node:readline";
import postgres from "postgres";
import type { Hex } from "viem";
import { type PaymentClaims, postgresClaims } from "@/sdk/x402/claims";
import { fileClaims } from "@/sdk/x402/file-claims";

const [, , place = ""] = process.argv;

function claimsAt(): PaymentClaims {
  if (!place.startsWith("postgres")) return fileClaims(place);
  const sql = postgres(place, { max: 5, onnotice: () => {} });
  return postgresClaims((statement, values) => sql.unsafe(statement, [...values]));
}

const claims = claimsAt();
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as [note: Hex, binding: Hex, atMost: number][];
  console.log(JSON.stringify(await Promise.all(asked.map((one) => claims.claim(...one)))));
}
process.exit(0);
