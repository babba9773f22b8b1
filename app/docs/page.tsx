import { ArrowRight } from "lucide-react";
import type { Metadata } from "next";
import { pageMetadata } from "@/app/docs/page-metadata";
import { PageTitle } from "@/components/docs/page-title";
import { Samples } from "@/components/docs/samples";
import { env } from "@/lib/base/env";
import { apiReference } from "@/lib/http/docs/api-reference";
import { navigation } from "@/lib/http/docs/navigation";
import { samplesOf } from "@/lib/http/reference/samples-of";

export const metadata: Metadata = {
  ...pageMetadata("/docs", { title: "Documentation", description: "Guides and the API reference of Halcyon." }),
  title: { absolute: "Documentation · Halcyon" },
};

/** The front page of the documentation: the most important request, and everything there is to read. */
export default async function Documentation() {
  const reference = await apiReference();
  const pay = reference.chapters.flatMap(({ operations }) => operations).find(({ id }) => id === "createTransfer");
  if (!pay) throw new Error("the document has no createTransfer");
  const { curl, typescript, python } = samplesOf(pay, env().origin);
  return (
    <div className="docs-front">
      <PageTitle
        title="Documentation"
        description="Pay with one request. The amount is encrypted before it reaches the chain, and no response, event or log contains it."
      />
      <div className="docs-front-start">
        <div>
          <p>
            If you know an API like Stripe's, you know this one: bearer keys, JSON, idempotency, webhooks. The
            difference: amounts are stored on chain encrypted, and only the payer and the recipient can read them.
          </p>
          <p>
            At rest, Halcyon holds no key that decrypts an amount. While it serves a server-signed payment, your
            available balance is decrypted in memory: see the <a href="/docs/security-model">security model</a>.
          </p>
          <p>
            <a href="/docs/quick-start" className="docs-primary">
              Quick start <ArrowRight size={16} aria-hidden />
            </a>
          </p>
        </div>
        <Samples
          samples={[
            { language: "bash", code: curl },
            { language: "ts", code: typescript },
            { language: "python", code: python },
          ]}
        />
      </div>
      {navigation(reference).map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul className="docs-cards">
            {pages.map(({ href, title, description }) => (
              <li key={href}>
                <a href={href}>
                  <strong>{title}</strong>
                  <span>{description.replaceAll("`", "")}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
