import {
  type CreatedKey,
  type CreateKeyInput,
  createKey,
  type KeyList,
  type ListKeysInput,
  listKeys,
  revokeKey,
} from "../account/keys";
import type { ListedKey } from "../api/api-types";
import type { CallOptions } from "../api/call-options";
import { checkInput, checkText } from "../api/check-input";
import { OPTIONAL_PAGE, type Paged } from "../api/paged";
import { Resource } from "./resource";

/** API keys: `halcyon.keys`. Needs the wallet. */
export class KeysResource extends Resource {
  /**
   * Creates an API key of the account, or of one agent, on this machine. The service gets its hash and the secrets
   * encrypted under the key. Store the returned key: it can't be shown again.
   *
   * @example
   * await halcyon.keys.create({ label: "server", expiresIn: "30d", scopes: ["read", "pay"] });
   * // { key_id: "key_…", api_key: "hc_test_…" }
   * await halcyon.keys.create({ label: "shop", blind: true });
   * // { key_id: "key_…", api_key: "hc_test_…", home_key: "hch_test_…" }
   */
  async create(input: CreateKeyInput, options?: CallOptions): Promise<CreatedKey> {
    checkInput(input, {
      label: "text!",
      expiresIn: "text",
      agent: "text",
      schedule: "text",
      scopes: "texts",
      allowedIps: "texts",
      blind: "flag",
    });
    const context = this.context.within(options);
    return input.blind ? (await import("./lazy-calls")).createBlindKey(context, input) : createKey(context, input);
  }

  /**
   * Lists the keys of the account and its agents on this network, or of one agent, newest first, without the keys
   * themselves: all of them unless you set `limit`.
   */
  list(input: ListKeysInput = {}, options?: CallOptions): Paged<KeyList, ListedKey> {
    checkInput(input, { ...OPTIONAL_PAGE, agent: "text" });
    return listKeys(this.context.within(options), input);
  }

  /** Revokes a key. It stops working on every server at once. */
  revoke(keyId: string, options?: CallOptions): Promise<{ key_id: string; revoked_at: string }> {
    checkText("keyId", keyId);
    return revokeKey(this.context.within(options), keyId);
  }
}
