// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../../../contracts/interfaces/IPlanEscrow.sol";
import {vm} from "./Vm.sol";

/// @title The keys of the actors, and what they sign
abstract contract ActorSignatures {
    uint256 internal constant CLIENT_KEY = 0xc1;
    uint256 internal constant EVALUATOR_KEY = 0xe1;
    uint256 internal constant ARBITRATOR_KEY = 0xab;
    uint256 internal constant DELEGATE_KEY = 0xde;
    uint256 internal constant AUTHORIZER_KEY = 0xa7;
    uint256 internal constant PAYEE_KEY = 0xa0;
    uint256 internal constant PAYEES = 4;

    IPlanEscrow public immutable escrow;
    bytes32 private immutable _domain;
    address internal immutable _client = vm.addr(CLIENT_KEY);
    address internal immutable _evaluator = vm.addr(EVALUATOR_KEY);
    address internal immutable _arbitrator = vm.addr(ARBITRATOR_KEY);
    address internal immutable _delegate = vm.addr(DELEGATE_KEY);
    address internal immutable _authorizer = vm.addr(AUTHORIZER_KEY);
    address internal immutable _feeTo = address(0xfee);
    address internal immutable _patron = address(0x9a7);
    address[PAYEES] internal _payees;

    constructor(IPlanEscrow escrow_) {
        escrow = escrow_;
        for (uint256 i = 0; i < PAYEES; ++i) _payees[i] = vm.addr(PAYEE_KEY + i);
        _domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Parley PlanEscrow"),
                keccak256("1"),
                block.chainid,
                address(escrow_)
            )
        );
    }

    function _privateKeyOf(address payee) internal view returns (uint256) {
        for (uint256 i = 0; i < PAYEES; ++i) {
            if (_payees[i] == payee) return PAYEE_KEY + i;
        }
        return CLIENT_KEY;
    }

    function _sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", _domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function _bind(IPlanEscrow.Charter memory charter) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(keccak256(abi.encode(charter.steps)), keccak256(abi.encode(charter.royalties)), charter.charterHash)
        );
    }

    /// @dev What members sign, or, with `authorized`, the client side.
    function _charterHash(bool authorized, bytes32 id, uint24 version, IPlanEscrow.Charter memory charter)
        internal
        pure
        returns (bytes32)
    {
        string memory fields = "(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash)";
        return keccak256(
            abi.encode(
                keccak256(abi.encodePacked(authorized ? "CharterAuthorization" : "Charter", fields)),
                id,
                version,
                keccak256(abi.encode(charter.steps)),
                keccak256(abi.encode(charter.royalties)),
                charter.charterHash
            )
        );
    }

    /// @dev What an attestation, a release or a submission is over; nothing where the plan has no charter.
    function _bindingOf(IPlanEscrow.Charter memory charter) internal pure returns (bytes32) {
        if (charter.steps.length == 0) return 0;
        bytes32 stepsHash = keccak256(abi.encode(charter.steps));
        return keccak256(abi.encode(stepsHash, keccak256(abi.encode(charter.royalties)), charter.charterHash));
    }

    function _settlementHash(bool release, bytes32 id, bytes32 charter, uint64 bits, bool close, bytes32 conclusion)
        internal
        pure
        returns (bytes32)
    {
        bytes32 typehash = release
            ? keccak256("Release(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)")
            : keccak256("Attestation(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)");
        return keccak256(abi.encode(typehash, id, charter, bits, close, conclusion));
    }

    function _halfHash(bytes32 id, bytes32 charter, uint64 bits, bool close) internal pure returns (bytes32) {
        bytes32 typehash =
            keccak256("HalfAttestation(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)");
        return keccak256(abi.encode(typehash, id, charter, bits, close, bytes32(0)));
    }

    /// @notice An item of a batch, written out whole.
    function _item(bytes memory arguments) internal pure returns (bytes memory) {
        return abi.encodePacked(uint16(1), uint16(0), uint16(arguments.length / 32), arguments);
    }

    /// @notice A bad item and two good ones; these by one signature of the evaluator, where `attestation` is not zero.
    function _batchOf(bytes memory bad, bytes memory good, bytes32 attestation) internal view returns (IPlanEscrow.Batch memory batch) {
        batch.items = bytes.concat(_item(bad), _item(good), _item(good));
        batch.gasEach = 5_000_000;
        if (attestation == 0) return batch;
        batch.evaluator = vm.addr(EVALUATOR_KEY);
        batch.attestations = new bytes32[](3);
        batch.attestations[1] = batch.attestations[2] = attestation;
        bytes32 typehash = keccak256(
            "Batch(Attestation[] attestations)Attestation(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)"
        );
        batch.signature =
            _sign(EVALUATOR_KEY, keccak256(abi.encode(typehash, keccak256(abi.encodePacked(batch.attestations)))));
    }

    function _vetoHash(bytes32 id, uint24 version) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256("CharterVeto(bytes32 planId,uint24 version)"), id, version));
    }

    function _closeRequestHash(bytes32 id, uint24 version) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256("CloseRequest(bytes32 planId,uint24 version)"), id, version));
    }

    function _stepsHash(bytes32 id, uint24 version, uint64 bits) internal pure returns (bytes32) {
        bytes32 typehash = keccak256("StepSubmission(bytes32 planId,uint24 version,uint64 bits,bytes32 outputsHash)");
        return keccak256(abi.encode(typehash, id, version, bits, bytes32(0)));
    }

    function _submissionHash(bytes32 id, bytes32 charter, uint64 bits, uint40 receivedAt) internal pure returns (bytes32) {
        bytes32 typehash =
            keccak256("Submission(bytes32 planId,bytes32 charter,uint64 bits,bytes32 outputsHash,uint40 receivedAt)");
        return keccak256(abi.encode(typehash, id, charter, bits, bytes32(0), receivedAt));
    }

    function _disputeHash(bytes32 id, uint24 version, uint8 step) internal pure returns (bytes32) {
        bytes32 typehash = keccak256("DisputeOpened(bytes32 planId,uint24 version,uint8 step,bytes32 evidenceHash)");
        return keccak256(abi.encode(typehash, id, version, step, bytes32(0)));
    }

    function _rulingHash(bytes32 id, uint24 version, uint8 step, uint16 bps) internal pure returns (bytes32) {
        bytes32 typehash = keccak256("Ruling(bytes32 planId,uint24 version,uint8 step,uint16 payeeBps,bytes32 rulingHash)");
        return keccak256(abi.encode(typehash, id, version, step, bps, bytes32(0)));
    }

    function _offerHash(bytes32 id, uint24 version, uint8 step, uint16 bps, uint40 deadline) internal pure returns (bytes32) {
        bytes32 typehash =
            keccak256("SettlementOffer(bytes32 planId,uint24 version,uint8 step,uint16 payeeBps,uint40 deadline)");
        return keccak256(abi.encode(typehash, id, version, step, bps, deadline));
    }

    function _withdrawalHash(address account, address token, address to, uint256 nonce) internal pure returns (bytes32) {
        bytes32 typehash =
            keccak256("CreditWithdrawal(address account,address token,address to,uint256 nonce,uint256 deadline)");
        return keccak256(abi.encode(typehash, account, token, to, nonce, type(uint256).max));
    }

    function _signerHash(address account, address signer, bool allowed, uint256 nonce) internal pure returns (bytes32) {
        bytes32 typehash =
            keccak256("SetSigner(address account,address signer,bool allowed,uint256 nonce,uint256 deadline)");
        return keccak256(abi.encode(typehash, account, signer, allowed, nonce, type(uint256).max));
    }
}
