import { endOf, type MovementType, type Statement, type StatementAsset, type StatementRow } from "./statement";

/** Currency codes (ISO 4217). ETH has none, so it uses XXX ("no currency"). A USDG is a dollar. */
const CURRENCIES: Readonly<Record<string, string>> = { USDG: "USD" };

const TYPES: Readonly<Record<MovementType, string>> = {
  deposit: "DEP",
  received: "DEPOSITED",
  sent: "PAYMENT",
  paid_out: "PAYMENT",
  moved_out: "XFER",
  moved_in: "XFER",
  abandoned: "OTHER",
};

/** Escapes a text for XML 1.0, without characters that XML can't contain, and cuts it to at most `most` characters. */
function text(value: string, most: number): string {
  const allowed = value.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "");
  const short = [...allowed.replace(/\s+/gu, " ").trim()].slice(0, most).join("");
  return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const tag = (name: string, value: string) => `<${name}>${value}</${name}>`;
const optional = (name: string, value: string | null, most: number) =>
  value === null || text(value, most) === "" ? "" : tag(name, text(value, most));

/** Formats a time such as `20261123130000.000[0:GMT]`. */
const time = (iso: string) => `${iso.replace(/\D/g, "").slice(0, 14)}.${iso.slice(20, 23)}[0:GMT]`;

const STATUS = "<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>";

/**
 * Returns the account id, at most 22 characters as the format requires. A statement with agents has another id than one
 * without.
 */
function accountId({ accounts }: Statement, asset: string): string {
  const [first] = accounts;
  const start = accounts.length > 1 ? `${asset}-ALL-` : `${asset}-`;
  return text(`${start}${first?.address.slice(2) ?? ""}`, 22);
}

function transaction(row: StatementRow): string {
  const { counterparty, counterparty_address: address, account, reference } = row;
  const name = counterparty ?? address ?? account;
  // NAME and REFNUM are limited to 32 characters. Longer values go into MEMO in full.
  const longer = (value: string | null) => (value !== null && [...value].length > 32 ? value : null);
  const memo = [row.memo, longer(name), longer(reference), row.refund_of && `Refund of ${row.refund_of}`];
  return tag(
    "STMTTRN",
    tag("TRNTYPE", TYPES[row.type]) +
      tag("DTPOSTED", time(row.time)) +
      tag("TRNAMT", row.paid_in ?? `-${row.paid_out}`) +
      tag("FITID", text(`${row.tx_hash}.${row.log_index}.${account}`, 255)) +
      optional("REFNUM", reference, 32) +
      optional("NAME", name, 32) +
      optional("MEMO", memo.filter(Boolean).join(" · "), 255),
  );
}

function list(statement: Statement, of: StatementAsset): string {
  const { from } = statement;
  const end = endOf(statement);
  // Amounts that can't be decrypted are in no balance, so leave them out.
  const rows = statement.rows.filter((row) => row.asset === of.asset && (row.paid_in ?? row.paid_out) !== null);
  const opening =
    tag("NAME", "Opening balance") +
    tag("DESC", "Balance at the start of the period") +
    tag("BALTYPE", "NUMBER") +
    tag("VALUE", of.opening ?? "") +
    tag("DTASOF", time(from));
  return tag(
    "STMTTRNRS",
    tag("TRNUID", "0") +
      STATUS +
      tag(
        "STMTRS",
        tag("CURDEF", CURRENCIES[of.asset] ?? "XXX") +
          tag(
            "BANKACCTFROM",
            tag("BANKID", "HALCYON") + tag("ACCTID", accountId(statement, of.asset)) + tag("ACCTTYPE", "CHECKING"),
          ) +
          tag("BANKTRANLIST", tag("DTSTART", time(from)) + tag("DTEND", time(end)) + rows.map(transaction).join("\n")) +
          tag("LEDGERBAL", tag("BALAMT", of.closing ?? "") + tag("DTASOF", time(end))) +
          tag("BALLIST", tag("BAL", opening)),
      ),
  );
}

/**
 * Returns a statement as OFX 2.2 (Open Financial Exchange), with one account per asset. The format can't express an
 * unknown balance, so a statement that does not add up can't be exported.
 *
 * @throws RangeError for a statement that does not add up
 */
export function statementOfx(statement: Statement): string {
  if (!statement.adds_up || statement.assets.some(({ opening, closing }) => opening === null || closing === null)) {
    throw new RangeError("This statement does not add up, and OFX can't say so. Use CSV, JSON or PDF.");
  }
  const sign = tag("SONRS", STATUS + tag("DTSERVER", time(statement.created_at)) + tag("LANGUAGE", "ENG"));
  const head = [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
  ].join("\n");
  const lists = statement.assets.map((asset) => list(statement, asset)).join("\n");
  const bank = lists === "" ? "" : tag("BANKMSGSRSV1", lists);
  return `${head}\n${tag("OFX", tag("SIGNONMSGSRSV1", sign) + bank)}\n`;
}
