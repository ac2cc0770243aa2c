from pathlib import Path

import polars as pl
import pytest

from parsers.secret import all_hidden, hidden, masked, may_hold_secret

FORMS = Path(__file__).parents[1] / "campaign" / "robustness" / "planted_forms.txt"


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("shared-secret", "FooFunFactory", "********"),
        ("TSM_PASSWORD", "", ""),
        ("net.ipv4.tcp_fastopen_key", "1-2-3", "********"),
        ("primary_conninfo", "host=db1 password=tiger user=x", "host=db1 password=******** user=x"),
        ("primary_conninfo", "password = 'ti ger' user=x", "password = '********' user=x"),
        ("ssl_key_file", "/etc/x.key", "/etc/x.key"),
        ("monkey", "x", "x"),
        ("password_encryption", "md5", "md5"),
        ("archive_command", "PGPASSWORD=Ti!ger cp %p", "PGPASSWORD=******** cp %p"),
    ],
)
def test_secret_is_recognised_by_its_name(name: str, value: str, shown: str) -> None:
    assert masked(name, value) == shown


@pytest.mark.parametrize(
    "before",
    [
        "PGPASSWORD=",
        "pass=",
        "pwd=",
        '{"pwd":"',
        '{\\"pwd\\":\\"',
        "--password ",
        "--token ",
        "mysql -p",
        "token=",
        "x-api-key: ",
        "Authorization: Bearer ",
        "Authorization: Basic ",
        "AccountKey=",
        "private_key=",
        "bindpw ",
        "SET PASSWORD FOR 'a' = '",
        "password is ",
        "password for a is ",
        "PASSWORD: ",
        "new pw: ",
        'shared-secret "',
        "auth_pass ",
        "auth-pass mymaster ",
        "key: ",
        'UserNames = { a = "',
        'Pword = "',
        "apc::admin::",
        'name="passwd" value="',
        "<password>",
        "identified by '",
        "postgres://a:",
        "curl -u a:",
        "sqlplus a/",
        "1 sha1 ",
        "ldapsearch -w ",
        "SecInfo @a = { b = ",
        "the secret of a was ",
        "the new password of the operator was ",
    ],
)
def test_secret_is_recognised_by_its_form(before: str) -> None:
    after = {"<password>": "</password>", "postgres://a:": "@h", "sqlplus a/": "@h"}.get(before, "")
    assert hidden(f"{before}Quokka77{after}") == f"{before}********{after}"


def test_each_name_of_a_secret_is_sought() -> None:
    names = (
        *("passwd", "Password", "passphrase", "pword", "secret", "SecInfo", "masterauth", "sst_auth", "auth-pass"),
        *("api_key", "fastopen-key", "LICENSEKEY", "CSRFtoken", "refresh_token", "smtppw", "credentials", "sshpass"),
    )
    forms = ("{}='Quokka77!'", "--{} Quokka77!", "{} 'Quokka77!'", "{} = {{a = Quokka77!}}", "the {} is Quokka77!")
    texts = [form.format(name) for form in forms for name in names]
    assert [text for text in texts if "Quokka77" in hidden(text)] == []


def test_a_column_is_masked_as_each_of_its_texts() -> None:
    forms = FORMS.read_text(encoding="utf-8").splitlines()
    values = ("Quokka77!", "changeit", "é9!Quokka", "AKIAQUOKKA7777777777", "aX9" * 40)
    texts = [form.replace("{s}", value).replace("{b}", value) for form in forms for value in values]
    texts += [each.upper() for each in texts] + [f"node1 app[7]: {each}, and more" for each in texts]
    (column,) = all_hidden(pl.DataFrame({"text": texts}))
    assert column.to_list() == [hidden(each) for each in texts]
    assert sum("*" in each for each in column) > len(texts) / 3


@pytest.mark.parametrize(
    "text",
    [
        "Failed password for root from 10.0.0.1 port 22",
        "token: 3000 password: Failed for x, PWD=/home, password=***, --password-file=/run/x",
        "mkdir -p /data -popup; primary key=5 foreign key: node; pass=0 fail=2; scp bob@db1:/x",
        "Filesystem::/dev/sdb1::/data::ext3::rw,noatime drbddisk::r0",
    ],
)
def test_words_beside_a_key_are_no_secrets(text: str) -> None:
    assert hidden(text) == text


@pytest.mark.parametrize(
    ("text", "may"),
    [("-p passwd=x", True), ("UserNames = { admin = x", True), ("SystemList = { a = 0", False), ("", False)],
)
def test_line_that_may_hold_one(text: str, *, may: bool) -> None:
    assert may_hold_secret(text) == may
