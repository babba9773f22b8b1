import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import {
  type AvailableOpening,
  EMPTY_AVAILABLE,
  EMPTY_AVAILABLE_OPENING,
  readAvailableCommitment,
} from "@/lib/ledger/crypto/commitments";
import { commitmentToHex, hexToCommitment } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { decryptAvailableState, encryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import { epochsShown } from "@/lib/ledger/encrypted/epochs-shown";
import { foldHistory } from "@/lib/ledger/history/fold-history";
import type { LedgerView } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import { moneyEvents } from "../../chain/ledger-events";
import type { Context } from "../../context/context";
import type { Party } from "../party";

/**
 * Returns what an agent had spent according to the last state the service knew, which the chain doesn't have, and what
 * clients with a home key kept in it.
 */
function pastState(
  scope: Scope,
  party: Party,
  asset: Asset,
  { available: { past } }: LedgerView,
): Pick<AvailableOpening, "counters" | "blind"> {
  if (!past) return {};
  const place = { scope, account: party.address, asset: asset.address, commitment: hexToCommitment(past.commitment) };
  try {
    return decryptAvailableState(party.secret, place, fromHex(past.encrypted));
  } catch {
    // A past state that can't be decrypted must not block the money in the current one.
    return {};
  }
}

/**
 * Sends the service a new encrypted state of an available balance that was changed without it (by a recovery, or
 * another client). Finds the opening in the party's own events on chain, with the epochs of payments with a home key,
 * and an agent's counters in the state before. Payments of the asset wait for this.
 */
export async function syncBalance(context: Context, party: Party, asset: Asset, view: LedgerView): Promise<void> {
  const [session, scope, vault, chain] = await Promise.all([
    context.session(),
    context.scope(),
    context.vault(),
    context.chain(),
  ]);
  const account = party.address;
  const dayOf = ({ timestamp }: { timestamp: bigint }) => timestamp / 86_400n;
  const [newest, { enrolledBlock }] = await Promise.all([chain.client.getBlock(), chain.account(account)]);
  const events = await moneyEvents(chain.client, chain.ledger, account, enrolledBlock, newest.number);
  const history = await foldHistory(scope, account, vault.viewingKey.secret, events);
  const none = { commitment: EMPTY_AVAILABLE, available: EMPTY_AVAILABLE_OPENING, epochs: [] };
  const held = history.assets.get(asset.address) ?? none;
  const commitment = readAvailableCommitment(await chain.availableOf(account, asset.address));
  if (!held.available || held.commitment !== commitment) {
    throw new HalcyonError(
      "sync_required",
      "This balance can't be decrypted: someone who could sign for it spoiled it, and its money is lost. Give it up in the " +
        "dashboard or with `halcyon abandon`, then make your received and deposited money available again.",
    );
  }
  const place = { scope, account, asset: asset.address, commitment };
  const { counters, blind: past } = pastState(scope, party, asset, view);
  const shown = held.epochs.map(async ({ seed, blockNumber }) => ({
    seed,
    day: dayOf(await chain.client.getBlock({ blockNumber })),
  }));
  const blind = epochsShown(await Promise.all(shown), past, dayOf(newest));
  const opening = { ...held.available, ...(counters && { counters }), ...(blind && { blind }) };
  const { encrypted, flag } = encryptAvailableState(party.secret, place, opening);
  const body = {
    asset: asset.symbol,
    commitment: commitmentToHex(commitment),
    encrypted: toHex(encrypted),
    flag: toHex(flag),
    secret_version: vault.secretVersion,
  };
  await session.post("/api/available-balances/sync", body, party.query);
}
