import { signInAgain } from "@/components/api/sign-in-again";
import { Button } from "@/components/ui/button";

/** The buttons of a dialog whose session has ended. All others would fail. What was typed stays. */
export function SignInFooter({ onClose }: { onClose: () => void }) {
  return (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button tone="primary" onClick={() => signInAgain()}>
        Sign in
      </Button>
    </>
  );
}
