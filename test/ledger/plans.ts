import fc from "fast-check";
import { deriveBudgetSecret, deriveViewingKey } from "@/lib/ledger/crypto/keys";
import type { Prove } from "@/lib/ledger/prepare/witness";
import { address, bytes, positiveUnits, salt, scope } from "./arbitraries";

/** Each of them proves and seals: few runs say enough. */
export const runs = { numRuns: 15 };
const DEADLINE = 2_000_000_000n;

/** Whose money it is in the tests of plans: keys of a root, a budget, and a payment it covers. */
export const payer = fc
  .record({ scope, root: bytes(32), account: address, to: address, asset: address, limit: positiveUnits, salt })
  .chain((p) => fc.record({ p: fc.constant(p), amount: fc.bigInt(1n, p.limit) }))
  .map(({ p, amount }) => {
    const secret = deriveBudgetSecret(p.root, p.scope, 1);
    const viewing = deriveViewingKey(p.root, p.scope);
    const request = {
      scope: p.scope,
      account: p.account,
      to: p.to,
      asset: p.asset,
      budget: { limit: p.limit, salt: p.salt },
      amount,
      deadline: DEADLINE,
      payerViewingKey: viewing.publicKey,
      secret,
    };
    return { request, secret, viewing };
  });

/** Stands where the prover does: the public signals the plan wants, and no proof. The proofs are the prover's tests. */
export const echo =
  (signals: readonly bigint[]): Prove =>
  async () => ({ proof: `0x${"00".repeat(256)}`, publicSignals: [...signals] });
