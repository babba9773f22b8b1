import { shortened } from "@/components/ui/address";
import { CodeBlock } from "@/components/ui/code-block";
import { Count } from "@/components/ui/count";
import type { VerifiedBalances } from "@/components/vault/methods/verify-balances";

const STAYED = [
  "the wallet key, the account key, the viewing key and the account secret",
  "the amount of each received payment, and of each balance",
  "the salts that hide them, and who paid you what",
];

/** Shows exactly what a verification sent, decoded, and what it did not send. */
export function VerificationRequestShown({ sent }: { sent: VerifiedBalances["sent"] }) {
  const { bytes, document, assets } = sent;
  return (
    <details className="group rounded-lg border border-line text-sm">
      <summary className="flex items-center justify-between gap-4 rounded-lg px-3.5 py-3 font-medium hover:bg-sunken/60">
        What left this browser
        <span className="font-normal text-muted tabular-nums">
          <Count value={bytes} /> bytes
        </span>
      </summary>
      <div className="grid gap-4 border-line border-t px-3.5 py-4">
        <p className="max-w-prose text-pretty text-muted">
          One request, <code className="text-ink">POST /v1/accounts/me/balances</code>, whose one field{" "}
          <code className="text-ink">decryption_proof</code> is the document below in base64.
        </p>
        <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[max-content_1fr] sm:gap-y-2">
          <Item name="account, block, issued_at">
            Whose it is, up to which block it counts, and when it was created ({issued(document.issued_at)}). Valid for
            10 minutes.
          </Item>
          {document.proofs.map(({ notes, proof }, index) => (
            <Item key={proof} name={`${assets[index]} proof`}>
              Names {counted(notes.length)} by commitments the chain shows already, and proves that together they hold{" "}
              <span className="text-ink">total</span> units: the one figure the service learns. It adds the public
              deposits.
            </Item>
          ))}
          <Item name="stayed here">{STAYED.join("; ")}.</Item>
        </dl>
        <CodeBlock code={JSON.stringify(document, null, 2)} title="decryption_proof, decoded">
          {JSON.stringify(document, shortProofs, 2)}
        </CodeBlock>
      </div>
    </details>
  );
}

function counted(notes: number): string {
  if (notes === 0) return "the available balance";
  return `the available balance and ${notes === 1 ? "1 received payment" : `${notes} received payments`}`;
}

function issued(seconds: string): string {
  return new Date(Number(seconds) * 1_000).toISOString();
}

/** Shortens proofs and other long hex values for reading. The copy button copies them in full. */
function shortProofs(name: string, value: unknown): unknown {
  return name !== "account" && typeof value === "string" && value.startsWith("0x") ? shortened(value) : value;
}

function Item({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="font-mono text-[13px]">{name}</dt>
      <dd className="mb-2 text-pretty text-muted sm:mb-0">{children}</dd>
    </>
  );
}
