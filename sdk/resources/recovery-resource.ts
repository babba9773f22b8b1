import type { CallOptions } from "../api/call-options";
import { checkInput, type FieldsOf } from "../api/check-input";
import type { RecoverInput, RecoverResult } from "../recovery/recover";
import { Resource } from "./resource";

const RECOVERY: FieldsOf<RecoverInput> = {
  rpc: "text!",
  ledger: "text!",
  to: "text",
  abandon: "flag",
  dust: "flag",
  fromBlock: "block",
  account: "text",
  recoveryCode: "text",
  backup: "text",
  onProgress: "function",
};

/** Recovery of your money without the service: `halcyon.recovery`. Needs the wallet. */
export class RecoveryResource extends Resource {
  /** Finds everything the account owns from chain data alone, and withdraws it. Works without the service. */
  async run(input: RecoverInput, options?: CallOptions): Promise<RecoverResult> {
    checkInput(input, RECOVERY);
    const { recover } = await import("./lazy-calls");
    const context = this.context.within(options);
    return recover(
      () => context.wallet,
      () => context.prover(),
      input,
      context.call,
    );
  }
}
