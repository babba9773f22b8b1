import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Hex } from "viem";
import type { Decimals } from "@/lib/base/money";
import { fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import type { HomeContent } from "@/lib/ledger/encrypted/blind-key";
import { payoutSecretOf } from "@/lib/ledger/encrypted/home-key";
import { decryptPayoutKey, derivePayoutKey, encryptPayoutKey } from "@/lib/ledger/encrypted/payout";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { parseAddress } from "../../account/resolve-address";
import { HalcyonError } from "../../api/errors";
import { requireSameId } from "../../api/require-same-id";
import type { Payout, PayoutCheck, PayoutRowInput } from "../../api/resources/payouts";
import { toHalcyonError } from "../../api/to-halcyon-error";
import { callApi } from "../../context/call-api";
import type { Context } from "../../context/context";
import { orResponseLost } from "../attempts/or-response-lost";
import { encryptRows } from "../payouts/encrypt-rows";
import { type CheckedName, findFaults, type PayoutFault } from "../payouts/find-faults";
import { newPayoutId } from "../payouts/new-payout-id";
import type { PayoutInput, PayoutOptions } from "../payouts/payouts";
import { ROWS_AT_ONCE } from "../payouts/payouts-by-wallet";
import { decryptState, type Home, homeContent, homeOf } from "./home";
import { payRowsBlind } from "./pay-rows-blind";
import { askNames, askStateOf, underPolicy } from "./payout-plan";
import { frozenPlans } from "./policy-terms";

/** How long one call works on a payout if it does not wait, as long as a request of the service. */
const WORK_MS = 15_000;
const SETTLING_MS = 1_000;
const NAME = "Name the recipient: an @handle or a 0x address.";

/** What is known of a payout's rows before it is accepted. */
interface Checked {
  content: HomeContent;
  secretVersion: number;
  names: CheckedName[];
  faults: PayoutFault[];
  existing: string | null;
}

/** Finds every fault of a payout. The service checks names; everything else is checked here. */
async function checkRows(
  context: Context,
  home: Home,
  { rows, allowDuplicates = false }: PayoutInput,
  payoutKey?: string,
): Promise<Checked> {
  const all = [...new Set(rows.map(({ to }) => to))];
  const fitting = all.filter((to) => to.length <= 100);
  const used = ["USDG", "ETH"].filter((symbol) => rows.some(({ asset = "USDG" }) => asset === symbol));
  const [first = "USDG", ...others] = used;
  const planOf = (asset: string) => frozenPlans(context, home, () => askStateOf(context, home, asset))();
  const [plans, named] = await Promise.all([
    Promise.all([planOf(first), ...others.map(planOf)]),
    fitting.length > 0 ? askNames(context, fitting, payoutKey) : { names: [], payout_id: null },
  ]);
  const [main] = plans;
  if (!main) throw new Error("a payout has a plan");
  const { content, policy, plan } = main;
  if (policy) throw underPolicy();
  const unfitting = all.filter((to) => !fitting.includes(to));
  const names = [
    ...named.names,
    ...unfitting.map((to) => ({ to, address: null, fault: { code: "invalid_request", message: NAME } })),
  ];
  const available = new Map<string, bigint>();
  const assets = content.assets.map((asset) => ({ ...asset, decimals: asset.decimals as Decimals }));
  for (const [at, symbol] of used.entries()) {
    const asset = assets.find((one) => one.symbol === symbol);
    const found = plans[at];
    if (asset && found) available.set(symbol, decryptState(home, content, asset.address, found.plan).limit);
  }
  const faults = findFaults(rows, { names, assets, allowDuplicates, available });
  return { content, secretVersion: plan.secret_version, names, faults, existing: named.payout_id };
}

/** Finds every fault of a payout on this machine. Nothing but names is sent. */
export async function checkPayoutBlind(context: Context, input: PayoutInput): Promise<PayoutCheck> {
  const { faults } = await checkRows(context, await homeOf(context), input);
  return { dry_run: true, rows: input.rows.length, faults };
}

/**
 * Accepts a payout whose rows this machine encrypts, and pays them with the home key: up to 16 with one proof. The same
 * `idempotencyKey` with the same rows continues it on every machine that has the home key, and a row's note is the same
 * each time. So nothing is paid twice, wherever a machine stops.
 *
 * @throws HalcyonError as `payouts.create` with a plain key
 */
export async function createPayoutBlind(
  context: Context,
  input: PayoutInput,
  options: PayoutOptions = {},
): Promise<Payout> {
  const id = options.idempotencyKey ?? crypto.randomUUID();
  const home = await homeOf(context);
  const checked = await checkRows(context, home, input, id);
  if (checked.existing === null) refuseFaults(checked.faults);
  const accepted = await orResponseLost(id, accept(context, home, { input, id, checked }));
  options.onProgress?.(accepted);
  const asked = { key: keyOf(home, checked.content, id), rows: input.rows.length };
  return orResponseLost(id, pay(context, home, accepted.payout_id, options, asked), true);
}

/** Returns the key of the payout that a request creates, on every machine that has the home key. */
function keyOf({ homeKey, scope }: Home, { holder }: HomeContent, id: string): Uint8Array {
  return derivePayoutKey(payoutSecretOf(homeKey, scope), scope, holder, id);
}

/** Continues a payout with a home key, even one that the wallet or another key has created. */
export async function resumePayoutBlind(context: Context, id: string, options: PayoutOptions = {}): Promise<Payout> {
  return pay(context, await homeOf(context), id, options);
}

function refuseFaults(faults: readonly PayoutFault[]): void {
  const ofRows = faults.filter(({ row }) => row !== null);
  if (faults.length > 0 && ofRows.length === 0) {
    throw new HalcyonError("insufficient_balance", "The available balance does not cover this payout.");
  }
  if (ofRows.length === 0) return;
  const errors = ofRows.map(({ row, param, message }) => ({ param: `rows.${Number(row) - 1}.${param}`, message }));
  const [what, which] =
    errors.length === 1 ? ["One row can't be paid.", "it"] : [`${errors.length} rows or fields can't be paid.`, "them"];
  const message = `${what} Nothing was accepted: correct ${which} and send the payout again.`;
  throw new HalcyonError("invalid_request", message, { param: errors[0]?.param, errors });
}

interface Accepting {
  input: PayoutInput;
  id: string;
  checked: Checked;
}

/** Stores a payout with the service, or returns the one that the same request has stored. */
async function accept(context: Context, home: Home, { input, id, checked }: Accepting): Promise<Payout> {
  const { rows, allowDuplicates = false } = input;
  const { content, secretVersion, names } = checked;
  const { scope } = home;
  const { holder, knowledge } = content;
  const key = keyOf(home, content, id);
  const own = newPayoutId();
  const encrypted = {
    payout_id: own,
    rows: rows.length,
    encrypted_key: toHex(encryptPayoutKey(knowledge, scope, holder, { payoutId: own, rows: rows.length }, key)),
    secret_version: secretVersion,
    fingerprint: fingerprintOf(hkdf(key, "payout fingerprint", scope), rows, allowDuplicates),
  };
  const call = <T>(path: `/v1/${string}`, json: object, idempotencyKey?: string) =>
    callApi<T>(context, "POST", path, { json, by: "key", idempotencyKey });
  const created = await call<Payout>("/v1/payouts", { encrypted }, id);
  const payoutId = created.payout_id;
  if (checked.existing !== null) {
    if (payoutId === checked.existing) return created;
    throw new HalcyonError("unavailable", "The service returned another payout than it named. Nothing was paid.");
  }
  const { assets } = content;
  const addressOf = new Map(names.map(({ to, address }) => [to, address]));
  const info = await context.info();
  for (const { to, address } of names) {
    if (!to.startsWith("0x") && address) await context.pins.checkHandle(info, to, parseAddress(address));
  }
  const decimal = assets.map((asset) => ({ ...asset, decimals: asset.decimals as Decimals }));
  const list = encryptRows(rows, { scope, key, payoutId, assets: decimal, addressOf });
  let payout = created;
  for (let at = 0; at < list.length; at += ROWS_AT_ONCE) {
    const some = { rows: list.slice(at, at + ROWS_AT_ONCE) };
    payout = await requireSameId("payout_id", payoutId, call<Payout>(`/v1/payouts/${payoutId}/rows`, some), true);
  }
  return payout;
}

/** MAC of the rows as their caller sent them. */
function fingerprintOf(key: Uint8Array, rows: readonly PayoutRowInput[], allowDuplicates: boolean): Hex {
  const texts = rows.map(({ to, amount, asset = "USDG", memo = null, reference = null }) => {
    return [to, amount, asset, memo, reference];
  });
  return toHex(hmac(sha256, key, utf8(JSON.stringify([allowDuplicates, ...texts]))));
}

/**
 * Pays a payout's rows, and unless the caller does not wait, until all are final or it is paused.
 *
 * @param asked the payout that a request creates: the service, which knows its id, could name another of this account
 */
async function pay(
  context: Context,
  home: Home,
  id: string,
  { wait, onProgress }: Pick<PayoutOptions, "wait" | "onProgress">,
  asked?: { key: Uint8Array; rows: number },
): Promise<Payout> {
  const until = wait === false ? Date.now() + WORK_MS : Number.POSITIVE_INFINITY;
  const path = `/v1/payouts/${encodeURIComponent(id)}` as const;
  const read = (query = {}) => callApi<Payout>(context, "GET", path, { by: "key", query });
  const { encrypted, ...found } = await requireSameId("payout_id", id, read({ include: "encrypted" }));
  let payout: Payout = found;
  if (!encrypted || encrypted.encrypted_key === "0x") return payout;
  const plan = await askStateOf(context, home, "USDG");
  const content = homeContent(home, plan);
  if (encrypted.secret_version !== plan.secret_version) {
    throw new HalcyonError("sync_required", "This payout is encrypted under an earlier account secret.");
  }
  const ref = { payoutId: id, rows: found.rows };
  const key = decryptPayoutKey(
    content.knowledge,
    home.scope,
    lowerCase(content.holder),
    ref,
    fromHex(encrypted.encrypted_key),
  );
  if (asked && (found.rows !== asked.rows || toHex(key) !== toHex(asked.key))) {
    throw new HalcyonError(
      "unavailable",
      "The service named a payout that this request did not create. Nothing was paid.",
    );
  }
  try {
    for (let begun = false; payout.status === "processing" || !begun; begun = true) {
      if (payout.rows_pending > 0) {
        const progress = (now: Payout) => onProgress?.(now);
        payout = await payRowsBlind(context, home, { payout, key }, { until, progress });
      }
      if (wait === false || payout.status !== "processing") return payout;
      await context.call.pause(SETTLING_MS);
      payout = await read();
      onProgress?.(payout);
    }
    return payout;
  } catch (error) {
    throw toHalcyonError(error);
  } finally {
    key.fill(0);
  }
}
