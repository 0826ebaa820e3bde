-- What a YOLO gave to deciders, by its id: a rule begins {"id":"….
create index proposals_rule on proposals (substr(rule, 8, 30)) where rule is not null;
