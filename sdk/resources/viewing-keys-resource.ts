import type { ExportedViewingKey } from "../account/export-viewing-key";
import type { CallOptions } from "../api/call-options";
import { Resource } from "./resource";

/** Viewing keys, for programs that only read amounts: `halcyon.viewingKeys`. */
export class ViewingKeysResource extends Resource {
  /**
   * Exports the account's viewing key, for a program that decrypts payments and can't spend. Together with an API key
   * of scope `read`, it is all that `new Halcyon({ viewingKey, apiKey })` needs. It decrypts all past and future
   * amounts and memos of the account and its agents, and it can't be revoked. Needs the wallet; nothing is sent to the
   * service.
   *
   * @example
   * const { viewing_key } = await halcyon.viewingKeys.export(); // "hcvk_test_…"
   */
  async export(options?: CallOptions): Promise<ExportedViewingKey> {
    const { exportViewingKey } = await import("./lazy-calls");
    return exportViewingKey(this.context.within(options));
  }
}
