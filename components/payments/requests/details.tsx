import { Amount } from "@/components/ui/amount";
import { Fact } from "@/components/ui/fact";
import { UtcTime } from "@/components/ui/utc-time";
import type { RequestDetails } from "@/sdk/payments/requests/verify-request";

/** The lines of an invoice and their total. */
export function InvoiceLines({ details, asset }: { details: RequestDetails; asset: string }) {
  if (details.lines.length === 0) return null;
  return (
    <ul aria-label="Lines" className="divide-y divide-line border-line border-y text-sm">
      {details.lines.map(({ text, quantity, price, total }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move, and two may be alike
        <li key={index} className="flex items-baseline justify-between gap-4 py-2.5">
          <span className="min-w-0">
            <span className="wrap-anywhere">{text}</span>
            {quantity !== 1 && (
              <span className="block text-muted text-xs">
                {quantity} × <Amount value={price} asset={asset} />
              </span>
            )}
          </span>
          <Amount value={total} asset={asset} className="shrink-0" />
        </li>
      ))}
    </ul>
  );
}

/** The other facts of an invoice or request. */
export function RequestFacts({ details }: { details: RequestDetails }) {
  const { note, due, number, seller, customer } = details;
  const texts = [
    ["Note", note],
    ["Invoice", number],
    ["From", seller],
    ["For", customer],
  ] as const;
  return (
    <>
      {texts.map(
        ([name, text]) =>
          text && (
            <Fact key={name} name={name}>
              <span dir="auto" className="wrap-anywhere block whitespace-pre-wrap text-left">
                {text}
              </span>
            </Fact>
          ),
      )}
      {due && (
        <Fact name="Due">
          <UtcTime value={due} day />
        </Fact>
      )}
    </>
  );
}
