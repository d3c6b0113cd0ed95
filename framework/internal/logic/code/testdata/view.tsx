export const Badge = ({ count }: { count: number }) => {
  const first = <T,>(list: T[]) => list[0];
  if (count >= 5) {
    return <b title="it's {not} code">Don't wait: {count > 9 ? <i>many</i> : "few"} / 'x'</b>;
  }
  return <>
    <Row onClick={() => { first([1]); }} /> it's fine
  </>;
};

function Row(props: { onClick: () => void }) {
  return <tr />;
}
