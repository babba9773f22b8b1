/** A link to an operation in the API reference. */
interface OperationLink {
  href: string;
  method: string;
  path: string;
  summary?: string;
}

/** API operations, each linked to its place in the reference. */
export function OperationLinks({ operations }: { operations: readonly OperationLink[] }) {
  return (
    <ul className="docs-operations">
      {operations.map(({ href, method, path, summary }) => (
        <li key={href}>
          <a href={href}>
            <span className="docs-method" data-method={method}>
              {method}
            </span>
            <code>{path}</code>
            {summary && <span className="docs-related-summary">{summary}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}
