import type {
  MovementType,
  Statement,
  StatementAccount,
  StatementAsset,
  StatementProblem,
  StatementRow,
} from "./statement";

/** An asset of a statement. Tokens can have any number of decimals. */
export interface AssetOfStatement {
  symbol: string;
  address: string;
  decimals: number;
}

/** A movement of a statement, in units. */
export interface Movement {
  /** Time of its block, in Unix seconds. */
  time: number;
  blockNumber: bigint;
  logIndex: number;
  transactionHash: string;
  type: MovementType;
  /** Address of the account whose balance changed. */
  holder: string;
  asset: string;
  /** In units; null if it can't be decrypted. */
  amount: bigint | null;
  counterparty: string | null;
  counterpartyAddress: string | null;
  reference: string | null;
  memo: string | null;
  transferId: string | null;
  refundOf: string | null;
}

/**
 * The balance of one asset, over all accounts of a statement, at the start and end of the period; null if it can't be
 * decrypted.
 */
export interface BalanceEnds {
  opening: bigint | null;
  closing: bigint | null;
}

/** Everything a statement is made from. */
export interface StatementParts
  extends Pick<
    Statement,
    "network" | "chain_id" | "ledger" | "from" | "to" | "time_zone" | "created_at" | "block" | "block_time"
  > {
  accounts: readonly StatementAccount[];
  assets: readonly AssetOfStatement[];
  /** Keyed by the asset's address. */
  balances: ReadonlyMap<string, BalanceEnds>;
  movements: readonly Movement[];
  /** Problems that were found before the totals were computed. */
  problems: readonly StatementProblem[];
}

const GAINS: ReadonlySet<MovementType> = new Set(["deposit", "received", "moved_in"]);

/** Formats units as a decimal string without trailing zeros. */
function unitsText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return digits.slice(0, digits.length - decimals) + (fraction && `.${fraction}`);
}

const inOrder = (a: Movement, b: Movement) =>
  a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1;

/** Computes the rows and totals of one asset. */
function assetOver(
  { symbol, decimals }: AssetOfStatement,
  { opening, closing }: BalanceEnds,
  movements: readonly { movement: Movement; account: string }[],
  /** Addresses of the statement's accounts, in lower case. What moves between them is neither paid in nor out. */
  own: ReadonlySet<string>,
): { asset: StatementAsset; rows: StatementRow[] } {
  const text = (units: bigint | null) => (units === null || units < 0n ? null : unitsText(units, decimals));
  let [gained, lost, unreadable] = [0n, 0n, 0];
  const within = { gained: 0n, lost: 0n };
  let balance = opening;
  const rows = movements.map(({ movement, account }): StatementRow => {
    const { amount, type } = movement;
    const gains = GAINS.has(type);
    const isOwn = own.has(movement.counterpartyAddress?.toLowerCase() ?? "");
    if (amount === null) unreadable += 1;
    else if (isOwn) within[gains ? "gained" : "lost"] += amount;
    else if (gains) gained += amount;
    else lost += amount;
    // A received amount that can't be decrypted is in no balance. A paid amount that can't be decrypted makes the
    // balance unknown.
    if (amount === null && !gains) balance = null;
    else if (balance !== null) balance += gains ? (amount ?? 0n) : -(amount ?? 0n);
    return {
      time: new Date(movement.time * 1000).toISOString(),
      type,
      account,
      counterparty: movement.counterparty,
      counterparty_address: movement.counterpartyAddress,
      asset: symbol,
      paid_in: gains ? text(amount) : null,
      paid_out: gains ? null : text(amount),
      balance: text(balance),
      reference: movement.reference,
      memo: movement.memo,
      transfer_id: movement.transferId,
      refund_of: movement.refundOf,
      tx_hash: movement.transactionHash,
      log_index: movement.logIndex,
    };
  });
  const addsUp =
    opening !== null && closing !== null && opening + gained - lost === closing && within.gained === within.lost;
  return {
    asset: {
      asset: symbol,
      opening: text(opening),
      paid_in: unitsText(gained, decimals),
      paid_out: unitsText(lost, decimals),
      closing: text(closing),
      rows: rows.length,
      unreadable,
      adds_up: addsUp,
    },
    // If the running balance does not lead to the closing balance, it is wrong, so it is not shown.
    rows: addsUp ? rows : rows.map((row) => ({ ...row, balance: null })),
  };
}

function sumProblems(asset: StatementAsset): StatementProblem[] {
  const problems: StatementProblem[] = [];
  if (!asset.adds_up) {
    const why =
      asset.opening === null || asset.closing === null
        ? "a balance can't be decrypted"
        : "opening balance and movements do not lead to the closing balance";
    problems.push({ code: "does_not_add_up", message: `${asset.asset} does not add up: ${why}.` });
  }
  if (asset.unreadable > 0) {
    const [what, verb] = asset.unreadable === 1 ? ["movement", "is"] : ["movements", "are"];
    const message = `${asset.unreadable} ${what} of ${asset.asset} can't be decrypted and ${verb} not counted.`;
    problems.push({ code: "unreadable", message });
  }
  return problems;
}

/** A received payment that can't be decrypted is dust and does not make a statement wrong. Every other problem does. */
const HARMLESS: ReadonlySet<StatementProblem["code"]> = new Set(["unreadable", "not_listed"]);

/**
 * Builds a statement from the movements and the balances at both ends. The two were determined independently, so a
 * statement that adds up is a real check.
 */
export function makeStatement(parts: StatementParts): Statement {
  const { assets, balances, movements, accounts, problems: found, ...head } = parts;
  const names = new Map(accounts.map(({ address, name }) => [address, name]));
  const sorted = movements
    .toSorted(inOrder)
    .map((movement) => ({ movement, account: names.get(movement.holder) ?? movement.holder }));
  const over = assets.flatMap((asset) => {
    const ends = balances.get(asset.address) ?? { opening: 0n, closing: 0n };
    const own = sorted.filter(({ movement }) => movement.asset === asset.address);
    const isEmpty = own.length === 0 && ends.opening === 0n && ends.closing === 0n;
    return isEmpty ? [] : [assetOver(asset, ends, own, new Set(names.keys()))];
  });
  const problems = [...found, ...over.flatMap(({ asset }) => sumProblems(asset))];
  return {
    format: "halcyon-statement-1",
    ...head,
    accounts: [...accounts],
    assets: over.map(({ asset }) => asset),
    rows: over.flatMap(({ rows }) => rows).toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)),
    adds_up: problems.every(({ code }) => HARMLESS.has(code)),
    problems,
  };
}
