import type { ReactNode } from "react";
import { SiteFooter } from "./site-footer";
import { SiteHeader } from "./site-header";

/** A page where anyone can check something without an account, with an explanation of the result. */
export function CheckPage({
  title,
  summary,
  thing,
  facts,
  dashboard,
  children,
}: {
  title: string;
  summary: string;
  /** What is checked, such as `receipt`. */
  thing: string;
  facts: readonly { title: string; text: string }[];
  /** Where the dashboard of a signed-in visitor is. */
  dashboard?: string;
  children: ReactNode;
}) {
  return (
    <>
      <SiteHeader dashboard={dashboard} />
      <main className="mx-auto grid w-full max-w-2xl gap-8 px-4 py-10 sm:px-8 sm:py-16">
        <header>
          <h1 className="text-balance font-semibold text-3xl tracking-tight">{title}</h1>
          <p className="mt-2 text-pretty text-muted">{summary}</p>
        </header>
        <noscript>
          <p className="rounded-lg border border-line bg-sunken px-4 py-3 text-sm">
            Checking a {thing} needs JavaScript: the {thing} is never sent to a server, so no server can check it.
          </p>
        </noscript>
        {children}
        <dl className="grid gap-6 border-line border-t pt-8 text-sm">
          {facts.map(({ title, text }) => (
            <div key={title}>
              <dt className="font-medium">{title}</dt>
              <dd className="mt-1 text-pretty text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </main>
      <SiteFooter />
    </>
  );
}
