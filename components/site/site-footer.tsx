const GROUPS: { title: string; links: { name: string; href: string }[] }[] = [
  {
    title: "Product",
    links: [
      { name: "Documentation", href: "/docs" },
      { name: "API reference", href: "/docs/api" },
      { name: "Check a receipt", href: "/receipt" },
    ],
  },
  {
    title: "Trust",
    links: [
      { name: "Status", href: "/system-status" },
      { name: "Security", href: "/docs/security-model" },
      { name: "Recovery", href: "/docs/recovery" },
    ],
  },
  {
    title: "About",
    links: [
      { name: "Changelog", href: "/docs/changelog" },
      { name: "Terms", href: "/terms" },
      { name: "Third-party licenses", href: "/third-party-notices.txt" },
    ],
  },
];

/** The footer of the public pages, except the guides. */
export function SiteFooter() {
  return (
    <footer className="border-line border-t">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-10 text-sm sm:grid-cols-[minmax(0,1fr)_auto] sm:px-8">
        <p className="max-w-xs text-pretty text-muted">Halcyon is open source, under the Apache License 2.0.</p>
        <nav aria-label="More" className="grid grid-cols-2 gap-x-10 gap-y-6 sm:grid-cols-3">
          {GROUPS.map(({ title, links }) => (
            <div key={title}>
              <h2 className="font-medium">{title}</h2>
              <ul className="mt-1.5">
                {links.map(({ name, href }) => (
                  <li key={href}>
                    <a href={href} className="inline-flex min-h-9 items-center text-muted hover:text-ink">
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  );
}
