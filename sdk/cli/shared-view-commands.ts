import type { CheckedSharedView } from "../statements/shared-views/check-shared-view";
import type { CreateSharedViewInput } from "../statements/shared-views/shared-view-input";
import { moreOf, pageOptions } from "./listing";
import { dayOrTime, parseInstant } from "./option-values";
import { fields, table, time } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

/** Parses an expiry: `30d`, or a time. */
function expiry(text: string): Date {
  const [, days] = /^([1-9][0-9]{0,2})d$/.exec(text) ?? [];
  return days === undefined ? parseInstant(text) : new Date(Date.now() + Number(days) * 86_400_000);
}

function showChecked({ payments, refused, totals, ...view }: CheckedSharedView): string {
  const { title, accounts, from, to, counterparty, expires_at } = view;
  const rows = payments.map((each) => [
    each.state === "proven" ? "proven" : "NOT PROVEN",
    each.time && time(each.time),
    each.direction,
    each.name ?? (each.direction === "in" ? each.from : each.to),
    `${each.amount} ${each.asset}`,
    each.reference,
  ]);
  return [
    ...(refused > 0
      ? [`${refused} of ${payments.length} payments are not as the chain shows them. Do not rely on this view.`, ""]
      : []),
    fields({
      title,
      accounts: accounts.map(({ name, address }) => `${name} (${address})`).join(", "),
      from: time(from),
      to: time(to),
      counterparty,
      expires: time(expires_at),
    }),
    "",
    table(["state", "time", "direction", "with", "amount", "reference"], rows, "No payments."),
    "",
    table(
      ["asset", "paid in", "paid out", "payments"],
      totals.map((total) => [total.asset, total.paid_in, total.paid_out, String(total.payments)]),
      "Nothing is proven.",
    ),
    "",
    "Each payment shown is compared with the chain. Nothing proves that the list is complete.",
    ...payments.flatMap(({ reason, tx_hash }) => (reason === null ? [] : [`${tx_hash}: ${reason}`])),
  ].join("\n");
}

/** `views create`, `list`, `delete`, `verify`. */
export const sharedViewCommands: AddCommand = (program, reports) => {
  const views = withExamples(
    program.command("views").description("views for an accountant: payments of a period, each proved"),
    "views create --from 2026-07-01 --to 2026-09-30 --label Accountant",
    "views list",
  );

  const create = withExamples(
    views
      .command("create")
      .description("share a view of the payments of a period (needs the wallet key)")
      .requiredOption("--from <day>", "the first day, such as 2026-07-01, or a time with its zone", dayOrTime)
      .requiredOption("--to <day>", "the last day, or the first time that is no longer part of it", dayOrTime)
      .requiredOption("--label <text>", "what you call it; Halcyon can read this")
      .option("--time-zone <name>", "in which days begin and end; this machine's when left out")
      .option("--counterparty <who>", "only payments with this @handle or 0x address")
      .option("--agent <name>", "only this agent's")
      .option("--with-agents", "of the account and all its agents")
      .option("--asset <asset>", "only this asset")
      .option("--memos", "also show memos")
      .option("--expires <time>", "when it is deleted: 30d or a time, at most 366 days", expiry),
    "views create --from 2026-07-01 --to 2026-09-30 --label Accountant",
    "views create --from 2026-01-01 --to 2026-12-31 --counterparty @supplier --label Supplier --expires 7d",
  );
  create.action(() =>
    reports.withClient(
      create,
      ({ sharedViews }) => sharedViews.create(create.opts<CreateSharedViewInput>()),
      ({ url, payments, left_out, expires_at }) =>
        [
          url,
          "",
          `It shows ${payments} payment${payments === 1 ? "" : "s"} until ${time(expires_at)}.`,
          ...(left_out > 0 ? [`${left_out} can't be decrypted and are not in it.`] : []),
          "Anyone with this link sees them. It proves that each is real, not that the list is complete.",
          "Once someone has opened it, you can't take it back.",
        ].join("\n"),
    ),
  );

  const list = withExamples(
    pageOptions(views.command("list").description("list the views you share, newest first")),
    "views list",
  );
  list.action(() =>
    reports.withClient(
      list,
      ({ sharedViews }) => sharedViews.list(list.opts()),
      ({ shared_views, has_more }) =>
        `${table(
          ["id", "label", "created", "expires", "opened"],
          shared_views.map((each) => [
            each.shared_view_id,
            each.label,
            time(each.created_at),
            time(each.expires_at),
            each.opened_at ? time(each.opened_at) : "not yet",
          ]),
          "You share no views.",
        )}${moreOf({ has_more })}`,
    ),
  );

  const remove = withExamples(
    views
      .command("delete")
      .description("delete a view: its link opens nothing any more")
      .argument("<id>", "the view's id"),
    "views delete view_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
  );
  remove.action((id: string) =>
    reports.withClient(
      remove,
      async ({ sharedViews }) => {
        await sharedViews.delete(id);
        return { shared_view_id: id, deleted: true };
      },
      () => "Deleted. Someone who has opened it may have kept what it showed.",
    ),
  );

  const verify = withExamples(
    views
      .command("verify")
      .description("open a view and compare each payment with the chain; needs no key")
      .argument("<link>", "a link to a view"),
    "views verify http://localhost:3000/view/view_01KADJ2C9B3T6Y0V8ZQ4N5M7WX#hN2mTq0c5yVd8rLw3xJb6kZs1fGo4aPe7uIiYtQ0AAA",
  );
  verify.action((link: string) =>
    reports.withClient(verify, ({ sharedViews }) => sharedViews.verify(link), showChecked),
  );
};
