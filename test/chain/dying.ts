/*
 * A set-up file of Vitest's, for processes whose test files share their modules, and the first import of other test
 * files: simulates crashes where crash.ts says so. A process that dies right after its commit never broadcasts; one that
 * dies before has recorded nothing. It replaces both modules before anything loads them, and without a crash calls the
 * real ones.
 */
import { vi } from "vitest";
import { crash } from "./crash";

vi.mock("@/lib/chain/broadcast", async (load) => {
  const real = await load<typeof import("@/lib/chain/broadcast")>();
  const broadcast: typeof real.broadcast = (operation) => {
    if (crash.at === "committed") throw new Error("the process dies");
    if (!crash.beforeBroadcast) real.broadcast(operation);
  };
  return { ...real, broadcast };
});

vi.mock("@/lib/payments/record-transfer", async (load) => {
  const real = await load<typeof import("@/lib/payments/record-transfer")>();
  const dying = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (crash.at === "before") throw new Error("the process dies");
      crash.proofs += 1;
      const result = await work(...args);
      if (crash.at === "recorded") throw new Error("the process dies");
      return result;
    };
  };
  return { ...real, recordBatch: dying(real.recordBatch), recordTransfer: dying(real.recordTransfer) };
});
