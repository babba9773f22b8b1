import type { Address } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { tagVoucher, tagVoucherKey } from "@/lib/ledger/crypto/request-tag";
import { copyTags, decryptBatchCopy } from "@/lib/ledger/encrypted/batch-copy";
import { decryptPayerCopy } from "@/lib/ledger/encrypted/payer-copy";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { WantedTag } from "../../api/api-types";
import { moneyEvents } from "../../chain/ledger-events";
import { eventSide, knownBy } from "../../chain/own-payments";
import type { Context } from "../../context/context";
import { type Party, partyAt } from "../party";

const AT_ONCE = 100;

/** The transfers whose tags can't be sent because their copies can't be decrypted, by context. Not tried again. */
const without = new WeakMap<Context, Set<string>>();

/**
 * Sends a restored service the tags of requests whose payments it has rebuilt from the chain. The tags are in the
 * payer's own copies on chain, of the account and its agents. With them, a repeated request gets the transfer that it
 * made, and a new request pays. Which payment a tag belongs to is read from the chain, never from the service.
 */
export async function handOverTags(context: Context): Promise<void> {
  const session = await context.session();
  const lost = without.get(context) ?? new Set<string>();
  without.set(context, lost);
  const wanted: WantedTag[] = [];
  for (let after: string | undefined, more = true; more; ) {
    const query = { limit: AT_ONCE, ...(after === undefined ? {} : { after }) };
    const page = await session.get<{ payments: WantedTag[]; has_more: boolean }>("/api/request-tags", query);
    wanted.push(...page.payments.filter(({ transfer_id }) => !lost.has(transfer_id)));
    after = page.payments.at(-1)?.transfer_id;
    more = page.has_more && after !== undefined;
  }
  const byPayer = new Map<Address, WantedTag[]>();
  for (const one of wanted) byPayer.set(one.account, [...(byPayer.get(one.account) ?? []), one]);
  for (const [account, payments] of byPayer) {
    const tags = await tagsOf(context, await partyAt(context, account), payments);
    const found = new Set(tags.map(({ transfer_id }) => transfer_id));
    for (const { transfer_id } of payments) if (!found.has(transfer_id)) lost.add(transfer_id);
    for (let start = 0; start < tags.length; start += AT_ONCE) {
      await session.post("/api/request-tags", { tags: tags.slice(start, start + AT_ONCE) });
    }
  }
}

/** Reads the tags of a payer's payments from its own copies on chain. */
async function tagsOf(context: Context, party: Party, payments: readonly WantedTag[]) {
  const [scope, vault, chain] = await Promise.all([context.scope(), context.vault(), context.chain()]);
  const newest = Number(await chain.client.getBlockNumber());
  // Only their own blocks: they may be weeks old.
  const blocks = payments.map(({ block }) => Number(block));
  const [from, to] = [Math.min(newest, ...blocks), Math.min(newest, Math.max(...blocks))];
  const payer = party.address;
  const events = await moneyEvents(chain.client, chain.ledger, payer, BigInt(from), BigInt(to));
  const key = tagVoucherKey(party.secret, scope);
  const idOf = new Map(payments.map((one) => [`${one.asset_address}/${one.known_by}`.toLowerCase(), one.transfer_id]));
  const tags: { transfer_id: string; tag: string; voucher: string }[] = [];
  for (const event of events) {
    const place = eventSide(event, payer);
    if (!place) continue;
    const asset = lowerCase(event.args.asset);
    const ref = { scope, account: payer, asset, commitment: place.commitments.newAvailable };
    const open = event.eventName === "BatchTransferred" ? decryptBatchCopy : decryptPayerCopy;
    const copy = await open(vault.viewingKey.secret, ref, fromHex(place.ciphertext));
    if (!copy) continue;
    for (const [index, name] of knownBy(event, events).entries()) {
      const tag = copyTags(copy)[index];
      const transfer_id = idOf.get(`${asset}/${name}`);
      if (transfer_id === undefined || !tag) continue;
      const newCommitment = commitmentToHex(place.commitments.newAvailable);
      const voucher = tagVoucher(key, { payer, asset, knownBy: name, newCommitment }, tag);
      tags.push({ transfer_id, tag: toHex(tag), voucher: toHex(voucher) });
    }
  }
  return tags;
}
