import { Component, type ComponentChildren } from 'preact';

type Props = {
  children: ComponentChildren;
  otherwise?: ComponentChildren;
  /** What is drawn: once it is another, it is tried anew. */
  of?: unknown;
};

/** Draws `otherwise` in the place of what throws while it is drawn, so that it takes nothing else of the page with it. */
export class Boundary extends Component<Props, { failed?: { of: unknown } }> {
  override componentDidCatch(error: unknown) {
    console.error(error);
    this.setState({ failed: { of: this.props.of } });
  }

  override render() {
    const { children, otherwise = null, of } = this.props;
    const { failed } = this.state;
    return failed && failed.of === of ? otherwise : children;
  }
}
