import { Check, ChevronRight, X } from "lucide-react";

const CAN = [
  "Read the whole history of the account and its agents.",
  "Spend the available balances, yours and your agents'.",
];
const CANNOT = [
  "Sign in here as you, or see this page.",
  "Make received money available, or withdraw money that is not available.",
  "Change the account's keys on the ledger, or replace your wallet.",
];

/** Explains what a backup can restore (docs/protocol.md section 3). */
export function BackupScope({ full }: { full: boolean }) {
  return (
    <div className="border-line border-t px-4 py-4 text-sm sm:px-5">
      {full && (
        <p className="mb-3 text-muted">You have as many backups as an account may have; delete one to add another.</p>
      )}
      <details className="group">
        <summary className="inline-flex cursor-pointer select-none items-center gap-1 rounded-md text-muted hover:text-ink pointer-coarse:py-3">
          <ChevronRight size={14} aria-hidden="true" className="transition-transform group-open:rotate-90" />
          What can someone with a copy do?
        </summary>
        <div className="mt-3 grid gap-5 sm:grid-cols-2">
          <div>
            <h3 className="font-medium">Anyone who opens a copy can</h3>
            <ul className="mt-1.5 grid gap-1.5 text-muted">
              {CAN.map((text) => (
                <li key={text} className="flex gap-2">
                  <Check size={14} aria-hidden="true" className="mt-1 shrink-0 text-success" />
                  <span className="text-pretty">{text}</span>
                </li>
              ))}
            </ul>
          </div>
          <div>
            <h3 className="font-medium">They cannot</h3>
            <ul className="mt-1.5 grid gap-1.5 text-muted">
              {CANNOT.map((text) => (
                <li key={text} className="flex gap-2">
                  <X size={14} aria-hidden="true" className="mt-1 shrink-0 text-danger" />
                  <span className="text-pretty">{text}</span>
                </li>
              ))}
            </ul>
          </div>
        </div>
        <p className="mt-4 max-w-prose text-pretty text-muted">
          A code or a second wallet also unlocks here, should your own no longer sign as it did.{" "}
          <a
            href="/docs/recovery#recover-without-your-wallet"
            className="text-accent underline underline-offset-2"
            target="_blank"
            rel="noreferrer"
          >
            Without your wallet
          </a>
          , a downloaded copy can still withdraw the available balances. No backup replaces the wallet: keep its seed
          phrase too, and store a code as carefully as the money.
        </p>
      </details>
    </div>
  );
}
