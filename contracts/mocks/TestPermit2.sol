// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPermit2} from "../interfaces/IPermit2.sol";
import {Signatures} from "../libraries/Signatures.sol";

/// @title Permit2 as far as the escrow uses it, to be put at its address on a chain that has none. For tests only.
/// @dev Written from Permit2's documents: same domain, same types, same order of checks, same bitmap of nonces.
contract TestPermit2 is IPermit2 {
    mapping(address owner => mapping(uint256 word => uint256 bitmap)) public nonceBitmap;

    error SignatureExpired(uint256 signatureDeadline);
    error InvalidAmount(uint256 maxAmount);
    error InvalidNonce();
    error InvalidSigner();

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (transferDetails.requestedAmount > permit.permitted.amount) revert InvalidAmount(permit.permitted.amount);
        uint256 bit = uint256(1) << uint8(permit.nonce);
        if (nonceBitmap[owner][permit.nonce >> 8] & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][permit.nonce >> 8] |= bit;

        bytes32 typehash = keccak256(
            abi.encodePacked(
                "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,",
                witnessTypeString
            )
        );
        bytes32 permitted =
            keccak256(abi.encode(keccak256("TokenPermissions(address token,uint256 amount)"), permit.permitted));
        bytes32 structHash =
            keccak256(abi.encode(typehash, permitted, msg.sender, permit.nonce, permit.deadline, witness));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", _domainSeparator(), structHash));
        if (!Signatures.isSignedBy(owner, digest, signature)) revert InvalidSigner();

        IERC20(permit.permitted.token).transferFrom(owner, transferDetails.to, transferDetails.requestedAmount);
    }

    function _domainSeparator() private view returns (bytes32) {
        bytes32 typehash = keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(typehash, keccak256("Permit2"), block.chainid, address(this)));
    }
}
