import { PageTitle } from "@/components/docs/page-title";

const OFTEN_WANTED = [
  { href: "/docs/quick-start", title: "Quick start" },
  { href: "/docs/send-payments", title: "Send payments" },
  { href: "/docs/webhooks", title: "Receive events" },
  { href: "/docs/api", title: "API reference" },
  { href: "/docs/errors", title: "Errors" },
];

/** Shown for an unknown address below /docs, with the usual header, menu and search. */
export default function DocsNotFound() {
  return (
    <article className="docs-prose">
      <PageTitle title="Page not found" description="This page doesn't exist, or it has another address now." />
      <p>Search the documentation with the field at the top, choose a page from the menu, or start here:</p>
      <ul>
        {OFTEN_WANTED.map(({ href, title }) => (
          <li key={href}>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ul>
    </article>
  );
}
