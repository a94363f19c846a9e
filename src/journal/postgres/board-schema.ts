/**
 * The output of the agents on other machines. It is not history: for each attempt, the first and the last two mebibytes
 * are kept for seven days.
 */
export const outputMigration = `
CREATE TABLE ambit.output (
  project text NOT NULL REFERENCES ambit.head (project),
  delegation text NOT NULL,
  attempt integer NOT NULL,
  number integer NOT NULL,
  stream text NOT NULL,
  before_bytes bigint NOT NULL,
  size integer NOT NULL,
  body bytea NOT NULL,
  at_ms double precision NOT NULL,
  PRIMARY KEY (project, delegation, attempt, number)
);
CREATE INDEX output_by_time ON ambit.output (project, at_ms);

CREATE FUNCTION ambit.keep_output(p_project text, p_chunk json, p_body bytea) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_delegation text := p_chunk->>'delegation';
  v_attempt integer := (p_chunk->>'attempt')::integer;
  v_end bigint := (p_chunk->>'before')::bigint + (p_chunk->>'size')::integer;
BEGIN
  INSERT INTO ambit.output (project, delegation, attempt, number, stream, before_bytes, size, body, at_ms)
    VALUES (p_project, v_delegation, v_attempt, (p_chunk->>'number')::integer, p_chunk->>'stream',
      (p_chunk->>'before')::bigint, (p_chunk->>'size')::integer, p_body, ambit.now_ms())
    ON CONFLICT DO NOTHING;
  DELETE FROM ambit.output o
    WHERE o.project = p_project AND o.delegation = v_delegation AND o.attempt = v_attempt
      AND o.before_bytes + o.size > 2097152 AND o.before_bytes < v_end - 2097152;
  PERFORM pg_notify('ambit_board', p_project || ' output ' || v_delegation || ' ' || v_attempt);
END $$;

CREATE FUNCTION ambit.forget_output(p_project text) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM ambit.output o WHERE o.project = p_project AND o.at_ms < ambit.now_ms() - 7 * 86400000.0
$$;

REVOKE ALL ON FUNCTION ambit.keep_output(text, json, bytea), ambit.forget_output(text) FROM PUBLIC;
GRANT SELECT ON ambit.output TO ambit_worker, ambit_reader;
GRANT EXECUTE ON FUNCTION ambit.keep_output(text, json, bytea), ambit.forget_output(text) TO ambit_worker;
`;

/** Providers whose account is full for every machine. The latest time counts. */
export const gatesMigration = `
CREATE TABLE ambit.gates (
  project text NOT NULL REFERENCES ambit.head (project),
  provider text NOT NULL,
  until_ms double precision NOT NULL,
  PRIMARY KEY (project, provider)
);

CREATE FUNCTION ambit.close_gate(p_project text, p_provider text, p_wait double precision) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO ambit.gates AS g (project, provider, until_ms)
    VALUES (p_project, p_provider, ambit.now_ms() + least(p_wait, 86400000.0 * 1.1))
    ON CONFLICT (project, provider) DO UPDATE SET until_ms = greatest(g.until_ms, excluded.until_ms);
  PERFORM pg_notify('ambit_board', p_project || ' gate ' || p_provider);
END $$;

REVOKE ALL ON FUNCTION ambit.close_gate(text, text, double precision) FROM PUBLIC;
GRANT SELECT ON ambit.gates TO ambit_worker, ambit_reader;
GRANT EXECUTE ON FUNCTION ambit.close_gate(text, text, double precision) TO ambit_worker;
`;
