/**
 * Offers a receipt to those who have none. It is checked like any other: nothing of its result is known before.
 *
 * @param receipt undefined if this service has published none
 */
export function SampleReceipt({ receipt }: { receipt: string | undefined }) {
  return (
    <p className="text-pretty text-muted text-sm">
      {receipt ? (
        <>
          No receipt at hand?{" "}
          <a href={`#${receipt}`} className="font-medium text-accent underline underline-offset-2">
            Check a real one
          </a>
          , of a payment that its payer has published. Your browser checks it like any other.
        </>
      ) : (
        "No receipt at hand? This service has published none to try. Each confirmed payment has one: open the payment in the dashboard and choose Create receipt."
      )}
    </p>
  );
}
