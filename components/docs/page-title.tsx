/** The head of a page: its title and one sentence that says what it is for. */
export function PageTitle({ title, description, mono }: { title: string; description: string; mono?: boolean }) {
  return (
    <div className="docs-title">
      <h1 className={mono ? "font-mono" : undefined}>{title}</h1>
      <p>{description}</p>
    </div>
  );
}
