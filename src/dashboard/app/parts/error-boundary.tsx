import { Component, type ReactNode } from "react";
import { asProblem } from "../live/calls.ts";
import { ProblemNote } from "./notices.tsx";

interface ErrorBoundaryProps {
  /** Another place starts with a clean slate. */
  readonly place: string;
  readonly children: ReactNode;
}

interface Caught {
  readonly place: string;
  readonly error: unknown;
}

/** A part of the page that fails says so in its own place; the rest of the page stays usable. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly caught: Caught | null }> {
  override state: { readonly caught: Caught | null } = { caught: null };

  override componentDidCatch(error: unknown): void {
    this.setState({ caught: { place: this.props.place, error } });
  }

  static getDerivedStateFromError(error: unknown): { readonly caught: Caught } {
    return { caught: { place: "", error } };
  }

  override render(): ReactNode {
    const { caught } = this.state;
    const { place, children } = this.props;
    if (caught === null || (caught.place !== "" && caught.place !== place)) return children;
    return (
      <div className="view">
        <h1>This part of the page failed</h1>
        <ProblemNote problem={asProblem(caught.error)} onRetry={() => this.setState({ caught: null })} />
      </div>
    );
  }
}
