// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// What whole transactions cost in the steady state (every commitment that is replaced was set before, everything
/// cold), without the proof: 21,000, the calldata, and the call with a verifier that takes everything. A real verifier
/// adds about 182,000 and 6,650 for each public signal. The snapshot (contracts/snapshots/ledger.json) pins them.
contract GasTest is LedgerTest {
    uint256 private constant RECIPIENT_BYTES = 120;
    uint256 private constant PAYER_BYTES = 124;
    uint256 private constant NO_ZEROS = type(uint256).max / 0xff * 0xa5;

    function setUp() public override {
        super.setUp();
        _deposit(alice, 1000);
        vm.prank(minter);
        usdg.mint(carol, 1);
        address[2] memory accounts = [alice, agent];
        for (uint256 i = 0; i < 2; ++i) {
            ILedger.MakeAvailableParams memory p = _makeAvailableParams(900 + i);
            p.account = accounts[i];
            vm.prank(alice);
            ledger.makeAvailable(p, proof, "");
        }
        // A proof weighs as much as a real one.
        for (uint256 i = 0; i < 8; ++i) {
            uint256 limb = _commitment(800 + i);
            if (i < 2) proof.a[i] = limb;
            else if (i < 6) proof.b[(i - 2) / 2][i % 2] = limb;
            else proof.c[i - 6] = limb;
        }
    }

    function test_Transfer() public {
        ILedger.TransferParams memory p = _transferParams(1);
        (p.recipientCiphertext, p.payerCiphertext) = (_bytes(RECIPIENT_BYTES), _bytes(PAYER_BYTES));
        bytes memory data = abi.encodeCall(ILedger.transfer, (p, proof, _sign(PAYMENT_KEY, _hash(p))));
        _measure("transfer", data);
    }

    function test_Spend() public {
        _measure("spend", _spend(noPath, 0));
    }

    function test_SpendAmong16Recipients() public {
        _measure("spendAmong16", _spend(_among16(), 0));
    }

    /// The owner's payment key signs: its record is read as well.
    function test_ApprovedSpendAmong16Recipients() public {
        _measure("spendAmong16Approved", _spend(_among16(), 1));
    }

    /// To alice.
    function test_FundToOwner() public {
        ILedger.FundParams memory p = _fundParams(1);
        (p.from, p.to, p.fromAgent) = (p.to, p.from, true);
        (p.fromCiphertext, p.toCiphertext) = (_bytes(PAYER_BYTES), _bytes(PAYER_BYTES));
        bytes memory data = abi.encodeCall(ILedger.fund, (p, proof, _sign(PAYMENT_KEY, _hash(p))));
        _measure("fundToOwner", data);
    }

    function test_SpendPublic() public {
        ILedger.SpendPublicParams memory p = _spendPublicParams(1);
        p.payerCiphertext = _bytes(PAYER_BYTES);
        bytes memory data = abi.encodeCall(ILedger.spendPublic, (p, noPath, proof, _sign(AGENT_KEY, _hash(p))));
        _measure("spendPublic", data);
    }

    function test_Release() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        p.payerCiphertext = _bytes(PAYER_BYTES);
        bytes memory data = abi.encodeCall(ILedger.release, (p, proof, _sign(PAYMENT_KEY, _hash(p))));
        _measure("release", data);
    }

    function test_Fund() public {
        ILedger.FundParams memory p = _fundParams(1);
        (p.fromCiphertext, p.toCiphertext) = (_bytes(PAYER_BYTES), _bytes(PAYER_BYTES));
        bytes memory data = abi.encodeCall(ILedger.fund, (p, proof, _sign(PAYMENT_KEY, _hash(p))));
        _measure("fund", data);
    }

    /// To 16 accounts, each touched for the first time.
    function test_TransferManyOf16() public {
        ILedger.TransferManyParams memory p = _manyParams(1, 16);
        // New limit, window, seed, tag and 16 amounts are 244 bytes of 256.
        for (uint256 i = 0; i < 7; ++i) {
            p.payerCiphertext[i] = bytes32(NO_ZEROS);
        }
        p.payerCiphertext[7] = bytes32(NO_ZEROS << 96);
        for (uint256 i = 0; i < 16; ++i) {
            _enroll(0x5000 + i, address(0));
            (p.payments[i].to, p.payments[i].recipientCiphertext) = (vm.addr(0x5000 + i), _bytes(RECIPIENT_BYTES));
        }
        bytes memory data = abi.encodeCall(ILedger.transferMany, (p, proof, _sign(PAYMENT_KEY, _hash(p))));
        _measure("transferMany16", data);
    }

    function test_SetPolicy() public {
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        p.commitments[0] = _commitment(5);
        _measure("setPolicy", abi.encodeCall(ILedger.setPolicy, (p, _sign(PAYMENT_KEY, _hash(p)))));
    }

    /// A path for bob, after the policy was set to recipients among whom he is.
    function _among16() private returns (ILedger.RecipientProof memory path) {
        ILedger.PolicyParams memory q = _policyParams(agent, true);
        (path, q.recipientsRoot) = _tree(4);
        _setPolicy(alice, q);
    }

    function _spend(ILedger.RecipientProof memory path, uint8 mode) private view returns (bytes memory) {
        ILedger.SpendParams memory p = _spendParams(1);
        p.mode = mode;
        (p.recipientCiphertext, p.payerCiphertext) = (_bytes(RECIPIENT_BYTES), _bytes(PAYER_BYTES));
        return abi.encodeCall(ILedger.spend, (p, path, proof, _sign(mode == 0 ? AGENT_KEY : PAYMENT_KEY, _hash(p))));
    }

    /// bob's leaf in a tree of 2^depth.
    function _tree(uint256 depth) private view returns (ILedger.RecipientProof memory path, bytes32 node) {
        (path.leafSalt, path.path) = (keccak256("salt"), new bytes32[](depth));
        node = keccak256(bytes.concat(keccak256(abi.encode(agent, bob, path.leafSalt))));
        for (uint256 i = 0; i < depth; ++i) {
            bytes32 sibling = path.path[i] = keccak256(abi.encode("sibling", i));
            node = node < sibling ? keccak256(abi.encode(node, sibling)) : keccak256(abi.encode(sibling, node));
        }
    }

    /// Without zero bytes, as ciphertexts are, and zeros after it.
    function _bytes(uint256 length) private pure returns (bytes32[4] memory words) {
        for (uint256 i = 0; i < 3; ++i) {
            words[i] = bytes32(NO_ZEROS);
        }
        words[3] = bytes32(NO_ZEROS << (8 * (128 - length)));
    }

    function _measure(string memory name, bytes memory data) private {
        vm.cool(address(ledger));
        vm.cool(verifier);
        vm.cool(address(usdg));
        vm.prank(relayer);
        (bool success,) = address(ledger).call(data);
        uint256 total = 21_000 + vm.lastCallGas().gasTotalUsed;
        vm.assertTrue(success, name);
        for (uint256 i = 0; i < data.length; ++i) {
            total += data[i] == 0 ? 4 : 16;
        }
        vm.snapshotValue("ledger", name, total);
    }
}
