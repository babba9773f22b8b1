/** What is different, claim by claim. Each claim links to a page that shows how to check it. */
const ROWS: { what: string; others: string; here: string; href: string; check: string }[] = [
  {
    what: "Amounts",
    others:
      "Usually public on the chain, or readable in the provider's database. Self-custody pools hide amounts, and people too.",
    here: "Encrypted on the chain and in the database. The payer and the recipient read them.",
    href: "/docs/confidentiality",
    check: "What is hidden",
  },
  {
    what: "An agent's limits",
    others:
      "A public contract, so that anyone reads them, or code of the provider, where parallel requests can pass a daily limit. Self-custody pools have none for agents.",
    here: "A contract enforces encrypted amounts, assets and named recipients, even against our servers once Guard is on.",
    href: "/docs/policies",
    check: "Who enforces each rule",
  },
  {
    what: "A stolen database",
    others: "Of a custodian or a payment API: shows balances and payments, and sometimes the keys that sign.",
    here: "With every server secret it decrypts no amount and signs no payment.",
    href: "/docs/security-model",
    check: "Who can do what",
  },
  {
    what: "The provider disappears",
    others: "Custodians leave you to a court; self-custody wallets keep working.",
    here: "Your wallet and a node of the chain recover your money, as long as the chain takes transactions.",
    href: "/docs/recovery",
    check: "Recover without us",
  },
  {
    what: "Proof of a payment",
    others: "Usually a public transaction that shows every other one too, or the provider's word.",
    here: "A receipt that anyone checks against the chain in their own browser, for one payment and no other.",
    href: "/docs/receipts",
    check: "How to check one",
  },
];

/** A table row for each claim; on a phone a block. */
export function DifferenceTable() {
  return (
    <table className="w-full border-collapse text-left text-sm max-md:block">
      <thead className="max-md:sr-only">
        <tr>
          <th scope="col" className="w-44 py-3 pr-6 font-medium text-muted">
            <span className="sr-only">What</span>
          </th>
          <th scope="col" className="py-3 pr-6 font-medium text-muted">
            Most wallets and payment APIs
          </th>
          <th scope="col" className="py-3 pr-6 font-medium">
            Halcyon
          </th>
          <th scope="col" className="py-3 font-medium text-muted">
            Check it
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {ROWS.map(({ what, others, here, href, check }) => (
          <tr key={what} className="border-line border-t align-top max-md:grid max-md:gap-1.5 max-md:py-4">
            <th scope="row" className="font-semibold md:py-4 md:pr-6">
              {what}
            </th>
            <td className="text-pretty text-muted md:py-4 md:pr-6">
              <span className="md:hidden">Elsewhere: </span>
              {others}
            </td>
            <td className="text-pretty md:py-4 md:pr-6">
              <span className="font-medium text-accent md:hidden">Here: </span>
              {here}
            </td>
            <td className="md:py-4">
              <a
                href={href}
                className="inline-flex min-h-6 items-center underline underline-offset-2 hover:text-accent"
              >
                {check}
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
