import { expect, test } from "vitest";
import type { Tx } from "@/db/client";
import type { RelayContext } from "@/lib/base/context/context";
import { type ClaimOfBatch, claimBatch } from "./claim-details";

// It refuses before it queries the database, so none is needed.
const NO_DATABASE = {} as Tx;

const claim = (reference: string): ClaimOfBatch => ({
  ctx: {} as RelayContext,
  payment: {} as ClaimOfBatch["payment"],
  details: { reference, uniqueReference: true },
});

test("payments made together want a reference for themselves once, also when an earlier batch has it", async () => {
  const refusal = { code: "reference_in_use", param: "payments.0.reference" };
  await expect(claimBatch(NO_DATABASE, [claim("rent"), claim("rent")])).rejects.toMatchObject(refusal);
  await expect(claimBatch(NO_DATABASE, [claim("rent")], [claim("food"), claim("rent")])).rejects.toMatchObject(refusal);
});
