import { sql } from "@/db/client";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { generateApiKey, hashApiKey } from "@/lib/ledger/encrypted/api-key";

/** A key that opens nothing, of an account that is a row and no more: for tests of the doors, without a chain. */
export interface BareKey {
  text: string;
  accountId: string;
  address: `0x${string}`;
}

/** Creates one, of the same account again if there is one. */
export async function bareKey(of?: BareKey, chainId: 46630 | 4663 = 46630): Promise<BareKey> {
  const [address, id] = [randomBytes(20), toHex(randomBytes(8)).slice(2)];
  const account = of ?? { accountId: `acct_${id}`, address: toHex(address) };
  if (!of) {
    await sql()`
      insert into accounts (id, handle, address, type, created_at)
      values (${account.accountId}, ${`bare-${id}`}, ${address}, 'business', now())`;
  }
  const text = generateApiKey(chainId);
  await sql()`
    insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, secret_version, created_at)
    values (${`key_${id}`}, ${account.accountId}, ${chainId}, ${hashApiKey(text)}, ${text.slice(0, 8)}, ${text.slice(-4)},
      'bare', 1, now())`;
  return { text, ...account };
}
